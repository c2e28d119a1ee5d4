"""Metaflow with its local datastore: a flow file with as many steps, run by its command."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.peers.counting import Work, measure, read_work

HEAD = "from metaflow import FlowSpec, step\n\nclass Counting(FlowSpec):\n"
CHAIN_STEP = """
    @step
    def {name}(self):
        self.value = getattr(self, "value", 0) + 1
        self.total = getattr(self, "total", 0) + self.value
        self.next(self.{following})
"""
FAN_STEPS = """
    @step
    def start(self):
        self.value = 1
        self.indices = list(range({num_leaves}))
        self.next(self.leaf, foreach="indices")

    @step
    def leaf(self):
        self.value += 1
        self.next(self.join)

    @step
    def join(self, inputs):
        self.total = 1 + sum(each.value for each in inputs)
        self.next(self.end)
"""
TAIL = """
    @step
    def end(self):
        open({total_path!r}, "w").write(str(self.total))

if __name__ == "__main__":
    Counting()
"""


def write_flow(work: Work, path: Path, total_path: Path) -> None:
    """A flow whose steps but for ``join`` and ``end``, which Metaflow demands, are the nodes."""
    if work.shape == "chain":
        names = ["start", *[f"step_{index}" for index in range(1, work.num_nodes)], "end"]
        steps = "".join(
            CHAIN_STEP.format(name=name, following=following)
            for name, following in itertools.pairwise(names)
        )
    else:
        steps = FAN_STEPS.format(num_leaves=work.num_nodes - 1)
    path.write_text(HEAD + steps + TAIL.format(total_path=str(total_path)))


def run(work: Work) -> int:
    flow, total_path = work.folder / "flow.py", work.folder / "total.txt"
    write_flow(work, flow, total_path)
    environment = {
        **os.environ,
        "METAFLOW_DATASTORE_SYSROOT_LOCAL": str(work.folder),
        "METAFLOW_HOME": str(work.folder / "home"),
        "METAFLOW_USER": "benchmark",
        "USERNAME": "benchmark",
    }
    command = [sys.executable, str(flow), "--quiet", "--no-pylint", "run", "--max-workers", "2"]
    subprocess.run(command, cwd=work.folder, env=environment, check=True, capture_output=True)
    return int(total_path.read_text())


if __name__ == "__main__":
    measure(run, read_work(), "metaflow")
