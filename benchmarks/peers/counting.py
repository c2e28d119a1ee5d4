"""The graph work that every peer does: nodes that add one, in a chain or fanned out from one.

A peer calls ``measure`` with a function that runs the graph in a folder and gives the sum of all
nodes' values. It runs twice: once cold in its process, once warm.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path


@dataclass(frozen=True)
class Work:
    """Which graph: its shape, its number of nodes, and the folder for records."""

    shape: str
    num_nodes: int
    folder: Path

    @property
    def parents(self) -> list[int | None]:
        """The node that each node takes its value from; None for the first."""
        if self.shape == "chain":
            return [None, *range(self.num_nodes - 1)]
        return [None, *[0] * (self.num_nodes - 1)]


def read_work() -> Work:
    """The work that the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--shape", choices=["chain", "fan"], required=True)
    parser.add_argument("--nodes", type=int, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args()
    return Work(arguments.shape, arguments.nodes, arguments.folder)


def measure(run: Callable[[Work], int], work: Work, package: str) -> None:
    """Print the seconds of a first and of a second run, and what the nodes added up to."""
    seconds, totals = [], []
    for attempt in ("first", "second"):
        folder = work.folder / attempt
        folder.mkdir(parents=True)
        started = time.perf_counter()
        totals.append(run(Work(work.shape, work.num_nodes, folder)))
        seconds.append(time.perf_counter() - started)
    if totals[0] != totals[1]:
        raise AssertionError(f"{package}: the runs disagree: {totals}")
    facts = {
        "first_seconds": seconds[0],
        "seconds": seconds[1],
        "total": totals[1],
        "version": version(package),
    }
    sys.stdout.write("\n" + json.dumps(facts) + "\n")
    sys.stdout.flush()
