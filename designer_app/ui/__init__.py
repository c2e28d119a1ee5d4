"""Shared parts of pages: addresses, styles and error messages."""
