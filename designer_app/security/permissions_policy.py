"""Permissions-Policy: devices of the machine that the documents of this server may use."""

from __future__ import annotations

_UNUSED = "microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), payment=()"
NOTHING = f"camera=(), {_UNUSED}"
"""Policy of all responses, unless they set their own."""
WITH_CAMERA = f"camera=(self), {_UNUSED}"
"""Policy of the page Camera and of the screens, in which *Try a picture* may use the camera."""
