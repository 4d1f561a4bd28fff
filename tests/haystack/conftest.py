"""Keeps Haystack from sending telemetry while it is tested against."""

import os

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
