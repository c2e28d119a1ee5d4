"""Each Python process that finds this first behaves as on macOS, as far as Linux can."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from tests.other_systems import hidden, names

sys.path.pop(0)


def creating(path: object, _: object, flags: int) -> None:
    if flags & os.O_CREAT:
        names.one_spelling(path)


def renaming(_: object, target: object, *__: object) -> None:
    names.one_spelling(target)


hidden.hide(hidden.LINUX_ONLY)
hidden.answer_as("darwin", "posix")
hidden.watch(
    {"open": creating, "os.mkdir": names.one_spelling, "os.rename": renaming, "os.link": renaming}
)
