"""Console of commands that shows control characters instead of sending them to the terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

ALLOWED = "\t\n"
SHOWN = {
    code: f"\\x{code:02x}"
    for code in (*range(0x20), *range(0x7F, 0xA0))
    if chr(code) not in ALLOWED
}
"""Control characters of C0 and C1 as shown: a terminal would obey those in a name or a file."""


class SafeConsole(Console):
    """Console for texts that come from users, files and programs."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a text as rich does, with its control characters shown."""
        return super().render_str(text.translate(SHOWN), **options)
