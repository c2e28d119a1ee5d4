"""Working folders of a machine that cannot see the leader's, and the transfer between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from modules.artifacts import Artifact
from modules.context import Context
from modules.scripts.machines.machine_files import MachineFiles, Request
from modules.scripts.outputs import ScriptOutputsFound
from modules.scripts.parameters import ScriptParameters
from modules.scripts.program_of import ProgramMaker
from modules.scripts.source_snapshot import SourceSnapshot
from modules.scripts.unkept_outputs import list_outputs
from modules.scripts.work_folder import LOGS, WorkFolder


@dataclass
class OwnFolder:
    """The folders of one follower."""

    node: int
    root: str
    """Prefix of all of its paths."""
    work: WorkFolder
    snapshot: SourceSnapshot
    outputs: ScriptOutputsFound
    _attempt: int = 0

    @classmethod
    def made(
        cls,
        parameters: ScriptParameters,
        context: Context,
        snapshot: SourceSnapshot,
        inputs: Mapping[str, Artifact],
    ) -> OwnFolder:
        """Create the folders with the inputs at their paths, and a copy of the source."""
        assert context.machine is not None
        work = WorkFolder.fresh(context, parameters.outputs_of)
        snapshot = snapshot.copied_to(work.source)
        ProgramMaker(parameters, context, snapshot, work, inputs).variables()
        outputs = ScriptOutputsFound(work, snapshot, parameters)
        return cls(context.rank, context.machine.root, work, snapshot, outputs)

    def here(self, request: Request, first_root: str) -> Request:
        """Return the request with this machine's paths; each attempt has new working folders."""
        if request.attempt != self._attempt:
            self._attempt = request.attempt
            self.work.fill(self.snapshot)
        moved = request.moved(first_root, self.root)
        log = Path(moved.log)
        if log.stem == "70_launcher_log":  # the leader writes its own under that name
            log = log.with_stem(f"{log.stem}_{self.node}")
        return replace(moved, log=str(log))

    def hand_on(self, files: MachineFiles, attempt: str) -> None:
        """Report which files the leader needs."""
        self._name_reports()
        attempt_dir = self.work.root.parent
        paths = [path.relative_to(attempt_dir).as_posix() for path in self._wanted()]
        files.tell_made(self.node, attempt, paths)

    def _name_reports(self) -> None:
        """Rename reports by machine too, as processes of another one may have the same numbers."""
        for report in self.work.reports.glob("*.json"):
            if "-" not in report.name:
                report.rename(report.with_name(f"{self.node}-{report.name}"))

    def _wanted(self) -> Iterator[Path]:
        yield from self.work.reports.glob("*.json")
        if self.work.kind == "node":
            yield list_outputs(self.work, self.node)
        for home in self.work.homes_of(self.node):
            if self.outputs.parameters.outputs_of == "every process":
                yield from self.outputs.new_files(home)
            else:
                yield from (path for path in (home / LOGS).rglob("*") if path.is_file())
