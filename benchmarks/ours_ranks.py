"""The same training in two processes of one thread each, that average their gradients.

They are forked as the executor forks the ranks of a step, and meet where it lets them meet. A batch
of the work is divided among them.
"""

from __future__ import annotations

import json
import os
import traceback
from pathlib import Path

from benchmarks.harness import BenchmarkError
from benchmarks.ours_training import data_sets, train, untrained_model
from benchmarks.peers.telling import tell
from benchmarks.peers.training import Clock, Work, read_work
from modules.artifacts import ImageDirectory, UntrainedModel
from modules.compute.distributed import MEETING_VARIABLE

NUM_RANKS = 2


def main() -> None:
    """Print how fast and how well the first rank says it went, and the memory of both."""
    import torchvision  # noqa: F401 - a warm runner holds it

    work = read_work()
    given, model = data_sets(work), untrained_model(work)
    clock, found = Clock(work, "pipeline-designer"), work.folder / "facts.json"
    os.environ.update(
        OMP_NUM_THREADS="1",
        GLOO_SOCKET_IFNAME="lo",
        **{MEETING_VARIABLE: str(work.folder / "process_group")},
    )
    ranks = [_fork(work, model, given, clock, rank, found) for rank in range(NUM_RANKS)]
    ended = [os.wait4(process, 0) for process in ranks]
    if any(status for _, status, _ in ended):
        raise BenchmarkError("A rank failed: its traceback is above. Run this script by hand.")
    megabytes = sum(usage.ru_maxrss for _, _, usage in ended) / 1000
    tell({**json.loads(found.read_text()), "megabytes": megabytes})


def _fork(
    work: Work,
    model: UntrainedModel,
    given: tuple[ImageDirectory, ImageDirectory],
    clock: Clock,
    rank: int,
    found: Path,
) -> int:
    """A process that trains as this rank; the first one leaves what it found."""
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        facts = train(
            *(work, model, given, clock),
            process_count_per_node=NUM_RANKS,
            rank=rank,
            local_rank=rank,
            world_size=NUM_RANKS,
            threads=1,
        )
        if facts:
            found.write_text(json.dumps(facts))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
