"""What a process prints."""

from __future__ import annotations

import io
import sys


def print_utf8() -> None:
    """Print UTF-8 into files and pipes too, where Windows writes its code page, of few letters."""
    for stream in (sys.stdout, sys.stderr) if sys.platform == "win32" else ():
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
