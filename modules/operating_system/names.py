"""What files may be called here: Windows keeps some names and characters for itself."""

from __future__ import annotations

import re
import sys

_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(\..*)?", re.IGNORECASE)
_CHARACTERS = re.compile(r'[<>:"|?*\x00-\x1f]|(?<![. ])[. ]+$')


def is_usable(name: str) -> bool:
    """Whether a file or folder can have this name; False where it would lead to something else."""
    return usable_name(name) == name


def usable_name(name: str) -> str:
    """The name itself, or, where the system does not take it, one that is like it.

    Underscores take the place of what it does not take; one stands before the name of a device.
    """
    if sys.platform != "win32":
        return name
    made = _CHARACTERS.sub("_", name)
    return f"_{made}" if _DEVICE.fullmatch(made) else made
