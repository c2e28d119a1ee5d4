"""Standard streams of a process."""

from __future__ import annotations

import io
import sys


def print_utf8() -> None:
    """Print UTF-8 also to files and pipes, for which Windows would use a limited code page."""
    for stream in (sys.stdout, sys.stderr) if sys.platform == "win32" else ():
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
