"""Valid file names: Windows reserves some names and characters."""

from __future__ import annotations

import re
import sys

_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(\..*)?", re.IGNORECASE)
_CHARACTERS = re.compile(r'[<>:"|?*\x00-\x1f]|(?<![. ])[. ]+$')


def is_usable(name: str) -> bool:
    """Return True if a file or folder can have this name."""
    return usable_name(name) == name


def usable_name(name: str) -> str:
    """Return the name, or a similar one that the system accepts.

    Underscores replace invalid characters; one is put before the name of a device.
    """
    if sys.platform != "win32":
        return name
    made = _CHARACTERS.sub("_", name)
    return f"_{made}" if _DEVICE.fullmatch(made) else made
