"""Error files of a step's ranks, and which failure caused the others.

One rank fails, and its end makes others fail: their connections close, or they are ended. The root
failure is chosen by its cause and only then by its time, since machines' clocks differ.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from modules.compute.distributed import is_lost_peer
from modules.errors import Evidence, evidence
from modules.files.json_files import read_if_valid, write_durably
from modules.files.redaction import Redaction
from pipelines.sentences import steps
from pipelines.workers.failures import DISK_FULL_CODE, NO_SPACE, problem_of
from pipelines.workers.step_spec import StepSpec

if TYPE_CHECKING:
    from pipelines.events import ProblemData

Cause = Literal["own", "ended", "lost"]
"""Cause of a rank's failure: its own, ended by its host, or a lost connection to another."""
ORDER: tuple[Cause, ...] = ("own", "ended", "lost")
"""Precedence of causes. A host ended by the machine's owner closes the connections of others."""


def leave_error(path: Path, problem: ProblemData, cause: Cause = "own") -> None:
    """Write a rank's failure. Raises ``OSError`` if the disk is full."""
    write_durably(path, {"time": time.time(), "problem": problem, "cause": cause})


def report_failure(
    error: BaseException, spec: StepSpec, rank: int, redaction: Redaction | None = None
) -> int:
    """Write a failure; return the exit code, which reports the failure if the disk is full."""
    try:
        problem = (redaction or Redaction()).json(problem_of(error, spec))
        leave_error(spec.error_path(rank), problem, cause_of(error, spec))
    except OSError as failure:
        return DISK_FULL_CODE if failure.errno in NO_SPACE else 1
    return 1


def leave_echo(path: Path, problem: ProblemData) -> None:
    """Write that a rank was ended, unless it wrote a more specific failure or the disk is full."""
    with suppress(OSError):
        if not path.exists():
            leave_error(path, problem, "ended")


def cause_of(error: BaseException, spec: StepSpec) -> Cause:
    """Return the cause of a rank's failure with this error."""
    return "lost" if spec.world_size > 1 and is_lost_peer(error) else "own"


def first_failure(spec: StepSpec) -> ProblemData | None:
    """Return the problem of the rank that failed first independently.

    The secondary errors are in its details: ``rank`` (its own number) and ``echoes`` (a table of
    theirs).
    """
    errors = [_LeftError.read(spec, rank) for rank in range(spec.world_size)]
    failures = sorted(
        (error for error in errors if error is not None), key=lambda error: error.order
    )
    if not failures:
        return None
    first, *others = failures
    problem: ProblemData = {**first.problem, "node": spec.node}
    if spec.world_size > 1:
        # The launcher of a script knows better which of its ranks it was.
        details = {"rank": first.rank, **(problem.get("details") or {})}
        problem["details"] = {**details, "echoes": _echoes(others)} if others else details
    return problem


@dataclass(frozen=True)
class _LeftError:
    rank: int
    time: float
    cause: Cause
    problem: ProblemData

    @classmethod
    def read(cls, spec: StepSpec, rank: int) -> _LeftError | None:
        record = read_if_valid(spec.error_path(rank))
        if not record or not isinstance(record.get("problem"), dict):
            return None
        cause = record.get("cause")
        return cls(rank, record["time"], cause if cause in ORDER else "own", record["problem"])

    @property
    def order(self) -> tuple[int, float]:
        return ORDER.index(self.cause), self.time

    @property
    def last_line(self) -> str:
        """Return the exception line of a traceback."""
        return str(self.problem["message"]).strip().rpartition("\n")[2].strip()


def _echoes(others: list[_LeftError]) -> Evidence:
    """Return the failures of the other ranks, as a table under one line."""
    failed_too = any(other.cause == "own" for other in others)
    sentence = steps.RANKS_FAILED_TOO if failed_too else steps.RANKS_FOLLOWED
    title = sentence.about({"count": len(others)}).message
    in_order = sorted(others, key=lambda other: other.rank)
    return evidence("ranks", title, [(f"rank {error.rank}", error.last_line) for error in in_order])
