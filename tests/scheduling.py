"""Which worker of pytest-xdist runs which file: computing is limited, waiting is not."""

from __future__ import annotations

import os

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

TRAINING = (
    "tests/browser/test_newcomer.py",
    "tests/pipelines/documents/test_lessons.py",
    "tests/pipelines/execution/test_training.py",
    "tests/modules/compute/",
    "tests/modules/image_loading/",
    "tests/modules/training/",
)
"""Files that train for long. Two trainings at once on two cores take more than twice as long."""

WAITING = ("tests/designer_app/", "tests/pipelines/")
"""Files that mostly wait: for processes and servers to start, for steps to end."""

TRAINS, COMPUTES, WAITS = range(3)

NUM_COMPUTING = max(2, os.cpu_count() or 2)
"""As many workers as there are cores keep these busy; more only make each other slower."""


class ByWhatTheyDo(LoadScopeScheduling):  # type: ignore[misc]  # it has no types
    """A file to a worker, all trainings to one; workers beyond the cores take what waits alone."""

    def _split_scope(self, nodeid: str) -> str:
        return "training" if nodeid.startswith(TRAINING) else nodeid.partition("::")[0]

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
        """What takes longest comes first: trainings, then what computes, then what waits."""
        active = [each for each in self.nodes if not each.shutting_down]
        may_compute = node in active[:NUM_COMPUTING]
        fitting = (each for each in self.workqueue if may_compute or _rank(each) == WAITS)
        return min(fitting, key=_rank, default=None)


def _rank(scope: str) -> int:
    if scope == "training":
        return TRAINS
    return WAITS if scope.startswith(WAITING) else COMPUTES
