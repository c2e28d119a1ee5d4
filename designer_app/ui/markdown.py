"""Text of unknown origin on pages whose elements accept Markdown."""

from __future__ import annotations

import re

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-!|<>$:~^&@./])")


def plain(text: object) -> str:
    """Return Markdown that shows the text literally: no links, images, math or icons."""
    return SPECIAL.sub(r"\\\1", str(text))
