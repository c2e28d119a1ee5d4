"""Luigi with one worker, its fastest: each task's record is the file it writes."""

from __future__ import annotations

from pathlib import Path

import luigi

from benchmarks.peers.counting import Work, measure, read_work


class Increment(luigi.Task):
    index = luigi.IntParameter()
    shape = luigi.Parameter()
    num_nodes = luigi.IntParameter()
    folder = luigi.Parameter()

    def requires(self) -> list[luigi.Task]:
        parent = Work(self.shape, self.num_nodes, Path(self.folder)).parents[self.index]
        return [] if parent is None else [self.clone(index=parent)]

    def output(self) -> luigi.LocalTarget:
        return luigi.LocalTarget(str(Path(self.folder) / f"{self.index}.txt"))

    def run(self) -> None:
        value = 0
        for source in self.input():
            with source.open() as file:
                value = int(file.read())
        with self.output().open("w") as file:
            file.write(str(value + 1))


def run(work: Work) -> int:
    tasks = [
        Increment(index, work.shape, work.num_nodes, str(work.folder))
        for index in range(work.num_nodes)
    ]
    leaves = tasks[-1:] if work.shape == "chain" else tasks[1:]
    if not luigi.build(leaves, local_scheduler=True, workers=1, log_level="ERROR"):
        raise RuntimeError("Luigi did not finish its tasks.")
    return sum(int(Path(task.output().path).read_text()) for task in tasks)


if __name__ == "__main__":
    measure(run, read_work(), "luigi")
