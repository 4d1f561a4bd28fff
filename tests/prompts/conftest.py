"""Keeps Haystack, the reference of these tests, from sending telemetry."""

import os

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")
