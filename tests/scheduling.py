"""Which worker of pytest-xdist runs which file: computing is limited, waiting is not."""

from __future__ import annotations

import os

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

TRAINING = (
    "tests/pipelines/documents/test_lessons.py",
    "tests/pipelines/execution/test_training.py",
)
WAITING = ("tests/cluster/", "tests/designer_app/", "tests/pipelines/")
"""Files that mostly wait, but for those that train: for processes to start, for steps to end."""

LONGEST = (
    *TRAINING,
    "tests/other_systems/test_journeys.py",
    "tests/modules/training/test_train_pytorch_model.py",
    "tests/pipelines/user_modules/test_hostile_hooks.py",
    "tests/cluster/test_ray_without_a_shared_folder.py",
    "tests/cluster/test_ray.py",
    "tests/cluster/test_slurm.py",
    "tests/cluster/test_slurm_losses.py",
    "tests/cluster/test_ray_losses.py",
    "tests/cluster/test_ssh.py",
    "tests/cluster/test_ssh_losses.py",
    "tests/pipelines/inspection/test_image_trace.py",
    "tests/pipelines/execution/test_own_weights.py",
    "tests/pipelines/execution/test_crashes.py",
    "tests/designer_app/server/test_rescue.py",
)
"""Files that take longest: begun late, one worker would be at them when the others are done."""

NUM_COMPUTING = max(2, os.cpu_count() or 2)
"""As many workers as there are cores keep these busy; more only make each other slower."""


class ByWhatTheyDo(LoadScopeScheduling):  # type: ignore[misc]  # it has no types
    """A file to a worker; workers beyond the cores take what waits alone."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0]

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


def _rank(scope: str) -> tuple[bool, int]:
    return _waits(scope), LONGEST.index(scope) if scope in LONGEST else len(LONGEST)


def _waits(scope: str) -> bool:
    return scope.startswith(WAITING) and scope not in TRAINING
