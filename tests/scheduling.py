"""Which worker of pytest-xdist runs which file: computing is limited, waiting is not."""

from __future__ import annotations

import os
from functools import cache

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from tests.durations import recorded

TRAINING = (
    "tests/pipelines/lessons/test_lessons.py",
    "tests/pipelines/execution/test_training.py",
)
WAITING = ("tests/cluster/", "tests/designer_app/", "tests/pipelines/")
"""Files that mostly wait, but for those that train: for processes to start, for steps to end."""

BROWSER = "tests/browser/"
"""Files that share a browser and a server, which end with the last one before another file."""

DISTRIBUTION = "tests/distribution/"
"""One build and what needs it: the longest that a single worker does, so it begins."""

TOGETHER = (DISTRIBUTION, "tests/pipelines/inspection/", "tests/project/")
"""Folders whose files look at one build, one run or the same sources, which are read once."""

ONE_RUN = "tests/browser/: one run"
LOOKING_AT_ONE_RUN = tuple(
    f"tests/browser/test_{name}.py" for name in ("accessible_states", "looking", "whole_pages")
)
"""Browser files with the fixture ``everything_run``, which costs fifteen seconds of a core."""

NUM_COMPUTING = max(2, os.cpu_count() or 2) + 1
"""A part of what computes waits, as browsers do: one worker more than cores keeps these busy."""


class ByWhatTheyDo(LoadScopeScheduling):  # type: ignore[misc]  # it has no types
    """A file, or files that share a run, to a worker; workers beyond the cores only wait."""

    def _split_scope(self, nodeid: str) -> str:
        return _scope(nodeid.partition("::")[0])

    def remove_node(self, node: WorkerController) -> str | None:
        """The test that ended its worker has failed; run again it would end others."""
        work = self.assigned_work[node]
        pending = [test for unit in work.values() for test, is_done in unit.items() if not is_done]
        crashed = pending[0] if pending else None
        for scope, unit in list(work.items()):
            if crashed in unit:
                unit[crashed] = True
            if all(unit.values()):
                del work[scope]
        super().remove_node(node)
        return crashed

    def _reschedule(self, node: WorkerController) -> None:
        if self.workqueue and not node.shutting_down and self._next_scope(node) is None:
            node.shutdown()
        else:
            super()._reschedule(node)

    def _assign_work_unit(self, node: WorkerController) -> None:
        scope = self._next_scope(node)
        if scope is not None:
            self.workqueue.move_to_end(scope, last=False)
            super()._assign_work_unit(node)

    def _next_scope(self, node: WorkerController) -> str | None:
        """What computes comes before what waits, and of either the longest files come first."""
        active = [each for each in self.nodes if not each.shutting_down]
        may_compute = node in active[:NUM_COMPUTING]
        fitting = (each for each in self.workqueue if may_compute or _waits(each))
        return min(fitting, key=_rank, default=None)


def _scope(file: str) -> str:
    if file in LOOKING_AT_ONE_RUN:
        return ONE_RUN
    return next((folder for folder in TOGETHER if file.startswith(folder)), file)


def _rank(scope: str) -> tuple[bool, bool, bool, int]:
    is_first = scope == DISTRIBUTION
    return _waits(scope), not is_first, not scope.startswith(BROWSER), -_seconds(scope)


@cache
def _seconds(scope: str) -> int:
    return sum(seconds for file, seconds in recorded().items() if _scope(file) == scope)


def _waits(scope: str) -> bool:
    return scope.startswith(WAITING) and scope not in TRAINING
