"""Pipelines whose ``with`` block is running: functions of modules add nodes to the innermost."""

from __future__ import annotations

from contextvars import ContextVar

from pipelines.document.code.build import CodeError, Level, PipelineBuilder
from pipelines.sentences import python_scripts

_Open = tuple[tuple[PipelineBuilder, Level], ...]
_open: ContextVar[_Open] = ContextVar("_open", default=())


def open_level() -> tuple[PipelineBuilder, Level]:
    """Return the pipeline and the level to which nodes are added; raises ``CodeError``."""
    levels = _open.get()
    if not levels:
        raise CodeError(python_scripts.NO_OPEN_PIPELINE)
    return levels[-1]


def push(root: PipelineBuilder, level: Level) -> None:
    """Open the block of a pipeline or sub-pipeline."""
    _open.set((*_open.get(), (root, level)))


def pop() -> None:
    """End the innermost block."""
    _open.set(_open.get()[:-1])
