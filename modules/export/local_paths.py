"""Removal of local paths from documents that are published with a model."""

from __future__ import annotations

import re
from typing import Any

_PATH = re.compile(
    r"(?P<prefix>(?:file|folder):)?(?P<path>(?:/|~|\\\\|[A-Za-z]:[\\/])[^\n]*)", re.DOTALL
)
"""An absolute path of any system, as the whole text; with the prefix of a source."""


def without_local_paths(content: Any) -> Any:
    """Return JSON content in which absolute paths are reduced to the name of their file."""
    if isinstance(content, dict):
        return {name: without_local_paths(value) for name, value in content.items()}
    if isinstance(content, list):
        return [without_local_paths(value) for value in content]
    if isinstance(content, str):
        return _reduced(content)
    return content


def _reduced(text: str) -> str:
    match = _PATH.fullmatch(text.strip())
    if match is None:
        return text
    names = [name for name in re.split(r"[\\/]", match["path"]) if name]
    name = names[-1] if names else ""
    return f"{match['prefix'] or ''}{'' if name == '~' else name}"
