"""Text of unknown origin on pages whose elements take Markdown."""

from __future__ import annotations

import re

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-!|<>$:~^&@./])")


def plain(text: object) -> str:
    """The text as Markdown that shows it letter by letter: no links, pictures, maths or icons."""
    return SPECIAL.sub(r"\\\1", str(text))
