"""Rank on systems without fork.

``python -m pipelines.workers.spawned_rank SPEC RANK LOCAL_RANK``
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from modules.operating_system.forking import leave
from modules.operating_system.parent_death import die_with_parent
from pipelines.workers.step_host import run_rank
from pipelines.workers.step_spec import StepSpec


def main() -> None:
    """Run one rank of a host that has set its environment."""
    die_with_parent(os.getppid())
    leave(run_rank(StepSpec.read(Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])))


if __name__ == "__main__":
    main()
