"""Failures of torch and of the machine, converted to errors with a fix."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from modules.errors import (
    Evidence,
    ModuleError,
    ModuleOutOfMemoryError,
    NotInRangeValueError,
    evidence,
)
from modules.formatting import format_bytes
from modules.sentences import compute as say

_SIGNS_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


@contextmanager
def exhaustion_explained(batch_size: int | None) -> Iterator[None]:
    """Raise ``ModuleOutOfMemoryError`` (0138) if the block runs out of memory or disk.

    ``batch_size`` is the parameter to lower; None if the module chooses its own.
    """
    try:
        yield
    except ModuleError:
        raise
    except MemoryError as error:
        raise _no_memory(batch_size) from error
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise ModuleOutOfMemoryError(say.NO_DISK_SPACE) from error
    except RuntimeError as error:
        if not any(sign in str(error).lower() for sign in _SIGNS_OF_MEMORY):
            raise
        raise _no_memory(batch_size) from error


@contextmanager
def indeterminism_explained() -> Iterator[None]:
    """Raise ``NotInRangeValueError`` (0008) if the block needs a nondeterministic kernel."""
    try:
        yield
    except RuntimeError as error:
        if "deterministic" not in str(error):
            raise
        raise NotInRangeValueError(
            say.NOT_REPRODUCIBLE, parameter="reproducible", remedy={"set": {"reproducible": "off"}}
        ) from error


def _no_memory(batch_size: int | None) -> ModuleOutOfMemoryError:
    if batch_size is None or batch_size <= 1:
        return ModuleOutOfMemoryError(say.MEMORY_RAN_OUT, details=_memory(batch_size))
    smaller = batch_size // 2
    return ModuleOutOfMemoryError(
        say.MEMORY_RAN_OUT_WITH_BATCH,
        batch=batch_size,
        smaller=smaller,
        parameter="batch_size",
        remedy={"set": {"batch_size": smaller}},
        details=_memory(batch_size),
    )


def _memory(batch_size: int | None) -> Evidence:
    """Return the requested and the available memory."""
    import psutil

    memory = psutil.virtual_memory()
    rows = [
        ("Batch size", f"{batch_size:,}" if batch_size else "chosen by the module"),
        ("Memory of the machine", format_bytes(memory.total)),
        ("Currently free", format_bytes(memory.available)),
    ]
    return evidence("memory", "Resource", rows)
