"""The agents of one step, told by one process; as a module it is what they are said to run.

python simulated_agents.py LIST OF JOBS OPTIONS OF SBATCH ... PATH OF THE STEP ...
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated, NamedTuple, Self

from modules import Artifact, Context, PortDoc, module, write_json
from pipelines.workers.agent_files import HEARTBEAT_INTERVAL_SECONDS, AgentFiles
from pipelines.workers.event_files import EventFile

EVERY_SECONDS = 1.0
LIFE_SECONDS = 900.0


class Told(Artifact):
    """``told.json``: nothing."""

    @classmethod
    def write(cls, folder: Path) -> Self:
        write_json(folder / "told.json", 0)
        return cls(folder)


class TellOutputs(NamedTuple):
    told: Annotated[Told, PortDoc("Nothing.")]


@module(title="Tell", category="Benchmarks", summary="Tell events.", distributed=True)
def tell(context: Context) -> TellOutputs:
    """Never called: simulated agents start no processes."""
    return TellOutputs(Told.write(context.new_folder()))


def serve(arguments: list[str]) -> None:
    """Be all agents of a job of ``sbatch`` until it is cancelled."""
    spec = next(Path(each) for each in arguments if each.endswith(".json"))
    name = next(each for each in arguments if each.startswith("--job-name=")).partition("=")[2]
    count = int(json.loads(spec.read_text())["node_count"])
    jobs = Path(arguments[0])
    jobs.write_text(f"{name}|RUNNING|None|1\n")
    files = AgentFiles(spec.parent)
    for rank in range(count):
        files.write(f"node-{rank}.json", {"host": f"m{rank}"})
        files.beat(rank)
    _tell_until_cancelled(spec.parent, files, jobs, count)


def _tell_until_cancelled(folder: Path, files: AgentFiles, jobs: Path, count: int) -> None:
    told = [EventFile(folder / f"events-{rank}.jsonl") for rank in range(count)]
    for rank, each in enumerate(told):
        each.emit({"kind": "running", "rank": rank})
    begun, step = time.monotonic(), 0
    while jobs.exists() and time.monotonic() < begun + LIFE_SECONDS:
        step += 1
        for rank, each in enumerate(told):
            _wait_until(begun + EVERY_SECONDS * (step + rank / count))
            each.emit(
                {
                    "kind": "progress",
                    "done": step,
                    "total": 10**6,
                    "unit": "iterations",
                    "rank": rank,
                }
            )
            value = time.time()
            each.emit(
                {
                    "kind": "metric",
                    "name": f"agent {rank}",
                    "step": step,
                    "value": value,
                    "rank": rank,
                }
            )
            if step % int(HEARTBEAT_INTERVAL_SECONDS) == rank % int(HEARTBEAT_INTERVAL_SECONDS):
                files.beat(rank)


def _wait_until(moment: float) -> None:
    left = moment - time.monotonic()
    if left > 0.002:
        time.sleep(left)


if __name__ == "__main__":
    serve(sys.argv[1:])
