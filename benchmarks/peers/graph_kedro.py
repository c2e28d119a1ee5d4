"""Kedro's sequential runner, its fastest here: each node's record is the text file it saves."""

from __future__ import annotations

import logging
import os
from pathlib import Path

os.environ["DO_NOT_TRACK"] = "1"

from kedro.io import AbstractDataset, DataCatalog
from kedro.pipeline import Pipeline, node
from kedro.runner import SequentialRunner

from benchmarks.peers.counting import Work, measure, read_work


class NumberFile(AbstractDataset):
    """A number in a text file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _load(self) -> int:
        return int(self._path.read_text())

    def _save(self, data: int) -> None:
        self._path.write_text(str(data))

    def _describe(self) -> dict[str, str]:
        return {"path": str(self._path)}


def start() -> int:
    return 1


def increment(value: int) -> int:
    return value + 1


def run(work: Work) -> int:
    nodes = [
        node(
            start if parent is None else increment,
            inputs=None if parent is None else f"value_{parent}",
            outputs=f"value_{index}",
            name=f"node_{index}",
        )
        for index, parent in enumerate(work.parents)
    ]
    files = {
        f"value_{index}": NumberFile(work.folder / f"{index}.txt")
        for index in range(work.num_nodes)
    }
    SequentialRunner().run(Pipeline(nodes), DataCatalog(files))
    return sum(file.load() for file in files.values())


if __name__ == "__main__":
    logging.getLogger("kedro").setLevel(logging.WARNING)
    measure(run, read_work(), "kedro")
