"""Working folders of a script: copies of its source, its inputs, and its reports.

<attempt>/working/source/            a copy of the source at the start of the step
<attempt>/working/node-0/            the working folder: source, outputs/, logs/; one of several
<attempt>/working/inputs/images/     links to the images of an input
<attempt>/working/reports/           how the ranks ended
<attempt>/working/listings/          the outputs of machines that share no folder
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from modules.context import Context
from modules.files.json_files import read_if_valid
from modules.scripts.launchers.process_description import ProcessDescription
from modules.scripts.parameters import OutputsOf
from modules.scripts.source_snapshot import FOLDERS, SourceSnapshot

OUTPUTS, LOGS = FOLDERS
KINDS: Mapping[OutputsOf, str | None] = MappingProxyType(
    {"first process": "node", "every process": "rank", "all processes together": None}
)


@dataclass(frozen=True)
class WorkFolder:
    """The folders of one step."""

    root: Path
    outputs_of: OutputsOf
    node_count: int
    processes_per_node: int

    @classmethod
    def fresh(cls, context: Context, outputs_of: OutputsOf) -> WorkFolder:
        """Create empty folders; those of an earlier attempt are removed."""
        root = (context.attempt_dir or context.staging_dir) / "working"
        shutil.rmtree(root, ignore_errors=True)
        work = cls(root.absolute(), outputs_of, context.node_count, context.process_count_per_node)
        for folder in (work.inputs, work.reports):
            folder.mkdir(parents=True)
        return work

    @property
    def source(self) -> Path:
        return self.root / "source"

    @property
    def inputs(self) -> Path:
        return self.root / "inputs"

    @property
    def reports(self) -> Path:
        return self.root / "reports"

    @property
    def listings(self) -> Path:
        return self.root / "listings"

    @property
    def kind(self) -> str | None:
        """Return the unit with separate working folders: ``node``, ``rank``, or None."""
        return KINDS[self.outputs_of]

    @property
    def home(self) -> Path:
        """Return the working folder of the first process."""
        return self.root / f"{self.kind or 'node'}-0"

    @property
    def homes(self) -> list[Path]:
        """Return all working folders, that of the first process first."""
        if self.kind is None:
            return [self.home]
        per_node = self.processes_per_node if self.kind == "rank" else 1
        return [self.root / f"{self.kind}-{index}" for index in range(self.node_count * per_node)]

    def homes_of(self, node: int) -> list[Path]:
        """Return the working folders of one node."""
        per_node = len(self.homes) // self.node_count
        return self.homes[node * per_node :][:per_node]

    def fill(self, snapshot: SourceSnapshot) -> None:
        """Create the working folders again: the source, and empty outputs and logs."""
        for folder in self.homes:
            shutil.rmtree(folder, ignore_errors=True)
            snapshot.copy_to(folder)
            for name in (OUTPUTS, LOGS):
                (folder / name).mkdir(parents=True, exist_ok=True)
        for report in self.reports.iterdir():
            report.unlink()

    def home_of(self, process: ProcessDescription) -> Path:
        """Return the working folder of a process; of the first rank of those it starts."""
        if self.kind is None:
            return self.home
        if self.kind == "node":
            return self.root / f"node-{process.node}"
        first = process.node * self.processes_per_node
        rank = first if process.rank is None else process.rank
        folder = self.root / f"rank-{rank}"
        return folder if folder in self.homes else self.home

    def read_reports(self, *, by_folder: bool = False) -> list[dict[str, object]]:
        """Return the reports of ranks in the order of their ends.

        For several machines, whose clocks differ, by the clock of their shared folder, if they have
        one.
        """
        reports: list[dict[str, object]] = []
        for path in self.reports.glob("*.json"):
            report = read_if_valid(path)
            if report is not None:
                own = {"time": path.stat().st_mtime} if by_folder else {}
                reports.append({**report, **own})
        return sorted(reports, key=lambda report: float(str(report["time"])))

    def clear(self) -> None:
        """Remove everything except ``logs``, which is kept with the run."""
        folders = (self.source, self.inputs, self.reports, self.listings, *self.homes)
        for folder in filter(Path.is_dir, folders):  # a script may have removed its own
            for entry in folder.iterdir():
                if entry.name != LOGS or not _holds_something(entry):
                    _remove(entry)
            if not any(folder.iterdir()):
                folder.rmdir()


def _holds_something(folder: Path) -> bool:
    """Return True if a folder is not empty; a link to one, or a file, counts as empty."""
    return folder.is_dir() and not folder.is_symlink() and any(folder.iterdir())


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)
