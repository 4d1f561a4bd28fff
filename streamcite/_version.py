"""The version, kept once: the build, the changelog's test and users read it here."""

__all__ = ["__version__"]

__version__ = "0.1.0"
