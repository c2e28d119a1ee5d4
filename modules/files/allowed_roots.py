"""The folders that a server may read files of its users from."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from modules.errors import SourceNotAllowedError
from modules.sentences import files as say
from modules.sentences.sentence import Statement


def require_allowed(
    path: Path, roots: Collection[Path] | None, *, name: str | Statement, parameter: str
) -> None:
    """Raise ``SourceNotAllowedError`` (3102) if the resolved ``path`` is below none of the roots.

    None allows everything that the user may read. ``name`` is the name of the file in the error.
    """
    if roots is not None and not any(path.is_relative_to(root.resolve()) for root in roots):
        known = list(roots) or say.NO_ROOTS.about({})
        raise SourceNotAllowedError(say.OUTSIDE, file=name, roots=known, parameter=parameter)
