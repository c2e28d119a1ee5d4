"""Check that paths in the arguments of a script are in allowed folders of the server."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from modules.errors import SourceNotAllowedError
from modules.scripts.arguments import PLACE, VARIABLE
from modules.sentences import scripts as say

SEPARATORS = re.compile(r"[=,;<>|@\"'`()\[\]\s]+")
"""Characters around a path in an argument such as ``--data=/images,/more``."""
ADDRESS = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]*://")
SHORT_OPTION = re.compile(r"-[A-Za-z](?=[/~])")
"""An option that is directly followed by its value, as in ``-I/usr/include``."""
DRIVE = re.compile(r"[A-Za-z]:[\\/]")
STREAMS = frozenset(Path("/dev", name) for name in ("null", "zero", "urandom", "tty"))


def require_paths_allowed(
    texts: Iterable[str], roots: Collection[Path] | None, parameter: str
) -> None:
    """Raise ``SourceNotAllowedError`` (3102) for a path that is below none of the roots.

    Args:
        texts: Arguments or words of a command, with placeholders replaced as far as known.
            Remaining ones, such as ``{{inputs.images}}``, are folders of the step.
        roots: Allowed folders; None allows all.
        parameter: The parameter that the error points to.
    """
    if roots is None:
        return
    for text in texts:
        for name in paths_in(text):
            _require(name, text, roots, parameter)


def paths_in(text: str) -> Iterator[str]:
    """Yield the parts that a program could interpret as a path outside its working folder."""
    for part in SEPARATORS.split(VARIABLE.sub(".", PLACE.sub(".", text))):
        if ADDRESS.match(part):
            continue
        part = SHORT_OPTION.sub("", part.removeprefix("file://"), count=1)
        for name in [part] if DRIVE.match(part) else part.split(":"):
            if _leaves_its_folder(name):
                yield name


def _leaves_its_folder(name: str) -> bool:
    name = os.path.expanduser(name)
    return os.path.isabs(name) or os.path.normpath(name).split(os.sep)[0] == os.pardir


def _require(name: str, text: str, roots: Collection[Path], parameter: str) -> None:
    path = Path(os.path.expanduser(name))
    argument = text[:200]
    if not path.is_absolute():
        raise SourceNotAllowedError(
            say.ARGUMENT_LEAVES_FOLDER, path=name, argument=argument, parameter=parameter
        )
    path = Path(os.path.realpath(path))
    if path in STREAMS or _is_no_file(path):
        return
    if not any(path.is_relative_to(root.resolve()) for root in roots):
        raise SourceNotAllowedError(
            say.ARGUMENT_OUTSIDE,
            path=name,
            argument=argument,
            roots=[str(root) for root in roots],
            parameter=parameter,
        )


def _is_no_file(path: Path) -> bool:
    """Return True if a single name at the root of the disk, such as ``/predict``, is not a path."""
    return path.parent == Path(path.anchor) != path and not path.exists()
