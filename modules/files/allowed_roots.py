"""The folders that a server may read files of its users from."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from modules.errors import SourceNotAllowedError, examples


def require_allowed(
    path: Path, roots: Collection[Path] | None, *, name: str, parameter: str
) -> None:
    """Raise ``SourceNotAllowedError`` (3102) where ``path``, without links, is below none of them.

    None allows whatever the user may read. ``name`` is what the error calls the file.
    """
    if roots is not None and not any(path.is_relative_to(root.resolve()) for root in roots):
        raise SourceNotAllowedError(
            f"{name} lies outside the folders this server may read.",
            cure=f"Move it below one of: {examples(roots) or '(none is set up)'}.",
            parameter=parameter,
        )
