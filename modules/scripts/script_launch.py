"""From a program and a launcher to processes that run, and again where a port was taken."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from modules.context import Context
from modules.errors import FailedToEvaluateScriptError, InvalidScriptError
from modules.operating_system.machine import num_cores
from modules.operating_system.wall import can_wall, wall
from modules.scripts.activity import Activity
from modules.scripts.arguments import (
    require_no_second_launcher,
    require_same_counts,
    with_variables,
)
from modules.scripts.extension_locks import remove_stale_locks
from modules.scripts.launchers import LAUNCHERS, USUAL, Launcher
from modules.scripts.launchers.mpi import mpirun
from modules.scripts.launchers.ports import free_ports, held_ports
from modules.scripts.launchers.process_description import USUAL_PORT, Launch, ProcessDescription
from modules.scripts.launchers.program import Program
from modules.scripts.log_tail import size_of
from modules.scripts.outcome import Launched
from modules.scripts.process_environment import ProcessEnvironment, gpus_of
from modules.scripts.source_snapshot import SourceSnapshot
from modules.scripts.supervisor import Start, Supervisor
from modules.scripts.work_folder import WorkFolder
from modules.sentences import scripts as say

LAUNCHER_LOG = "70_launcher_log.txt"


@dataclass
class ScriptLaunch:
    """A program, ready to be started as the run settings say."""

    context: Context
    snapshot: SourceSnapshot
    work: WorkFolder
    program: Program
    has_own_command: bool = False
    give_pytorch_names: bool = True
    variables: Mapping[str, str] = field(default_factory=dict)
    """What all processes find beside the names of their launcher."""
    can_use_network: bool = True
    watch: Callable[[], None] = lambda: None
    was_stopped: bool = False

    @property
    def launcher_name(self) -> str:
        return self.context.launcher or USUAL

    def run(self) -> Launched:
        """Start all processes and wait for their ends.

        Once more, with other ports, where somebody else had taken one. Raises ``ModuleError``
        where nothing can be started.
        """
        self._check()
        launcher, launch = LAUNCHERS[self.launcher_name], self._launch()
        count = launcher.num_ports(launch)
        chosen = self._chosen_port() if count else None
        launched = self._attempt(launcher, launch, _held(count, chosen))
        if count and launched.port_was_taken and chosen is None:
            self.context.warn(say.PORT_TAKEN)
            launched = self._attempt(launcher, launch, nullcontext(free_ports(count)))
        return launched

    def _check(self) -> None:
        if self.has_own_command:
            words, context = self.program.words, self.context
            require_no_second_launcher(words, self.launcher_name)
            counts = (context.node_count, context.process_count_per_node)
            require_same_counts(words, self.launcher_name, *counts)
        if self.launcher_name == "mpi" and mpirun() is None:
            raise InvalidScriptError(say.MPIRUN_MISSING, parameter="launcher")

    def _chosen_port(self) -> int | None:
        """The port that the node's own variables name; None where any free one will do."""
        given = self.context.variables.get("MASTER_PORT")
        if given is None:
            return None
        if not given.isdecimal() or not 1024 <= int(given) <= 65_535:
            raise InvalidScriptError(say.PORT_NO_NUMBER, value=given, parameter="variables")
        return int(given)

    def _launch(self) -> Launch:
        context = self.context
        return Launch(
            self.program,
            node_count=context.node_count,
            processes_per_node=context.process_count_per_node,
            parameter_server_count=context.parameter_server_count,
            meeting_file=self.work.reports.with_name("process_group"),
            has_own_command=self.has_own_command,
            give_pytorch_names=self.give_pytorch_names,
        )

    def _attempt(
        self, launcher: Launcher, launch: Launch, ports: AbstractContextManager[list[int]]
    ) -> Launched:
        self.work.fill(self.snapshot)
        launch.meeting_file.unlink(missing_ok=True)
        with ports as numbers:
            processes = launcher.plan(replace(launch, ports=numbers))
            self._require_wall(len(processes))
            remove_stale_locks(self._extensions_dir)
            starts = [self._start(each, len(processes)) for each in processes]
            self._note(starts)
            sizes = {each.description.name: size_of(each.log) for each in starts}
            supervisor = Supervisor(starts, self._watching(starts), self._stop_requested)
            self._supervise(supervisor)
        self.was_stopped = supervisor.why == "stopped"
        environment = self.context.environment
        return Launched(
            starts,
            supervisor.ends,
            self.work.read_reports(),
            sizes,
            environment.name if environment else None,
        )

    def _supervise(self, supervisor: Supervisor) -> None:
        try:
            supervisor.run()
        except (FileNotFoundError, PermissionError) as error:
            raise FailedToEvaluateScriptError(
                say.PROGRAM_MISSING,
                program=supervisor.starts[0].argv[0],
                error=error.strerror or type(error).__name__,
                parameter="command",
            ) from error

    def _start(self, process: ProcessDescription, count: int) -> Start:
        folder = self.work.home_of(process)
        own = {**gpus_of(process.node, self.context.process_count_per_node), **process.variables}
        known = {**self.context.variables, **own}  # no secrets: argument lists can be seen
        there = {name: self._moved(value, folder) for name, value in self.variables.items()}
        variables = self._environment(count).of(
            {**there, **self.context.variables, **self.context.secrets, **own}
        )
        argv = [self._moved(with_variables(word, known), folder) for word in process.argv]
        if not self.can_use_network:
            argv = wall(argv, self._packages, network=False)
        variables["DESIGNER_BOOTSTRAP"] = json.dumps(self._told(process))
        return Start(process, argv, variables, folder, self._log_of(process))

    def _require_wall(self, num_processes: int) -> None:
        """Raise where a script is to be shut off from the network and cannot be."""
        if self.can_use_network:
            return
        if num_processes > 1:
            raise InvalidScriptError(say.WALL_PARTS, count=num_processes, parameter="network")
        if not can_wall(network=False):
            raise InvalidScriptError(say.NO_WALL, parameter="network")

    @property
    def _packages(self) -> list[Path]:
        environment = self.context.environment
        return [environment.bin_dir.parent] if environment else []

    @property
    def _extensions_dir(self) -> Path:
        environment = self.context.environment
        name = environment.key[:16] if environment else "designer"
        return (self.context.cache_dir or self.context.staging_dir) / "torch_extensions" / name

    def _moved(self, text: str, folder: Path) -> str:
        """A text about the first working folder, about another one."""
        return text.replace(str(self.work.home), str(folder))

    def _environment(self, num_processes: int) -> ProcessEnvironment:
        environment = self.context.environment
        return ProcessEnvironment(
            bin_dir=environment.bin_dir if environment else Path(sys.executable).parent,
            threads=self._threads(num_processes),
            extensions_dir=self._extensions_dir,
        )

    def _threads(self, num_processes: int) -> int:
        """Of each rank: its share of the step's cores, also where one process starts the ranks."""
        context = self.context
        num_ranks = max(num_processes, context.node_count * context.process_count_per_node)
        share = context.threads or max(1, num_cores() // num_ranks)
        return context.cores_per_process or share

    def _told(self, process: ProcessDescription) -> dict[str, object]:
        """What the bootstrap is told."""
        starts_ranks = process.rank is None
        return {
            "parent": os.getpid(),
            "reports": str(self.work.reports),
            "logs": str(self.context.log_path(0).parent.absolute()) if starts_ranks else None,
            "home": str(self.work.home),
            "folders": self.work.kind if starts_ranks else None,
            "weights": self.context.node_count * self.context.process_count_per_node > 1,
        }

    def _log_of(self, process: ProcessDescription) -> Path:
        if process.log_number is None:
            return self.context.log_path(0).with_name(LAUNCHER_LOG)
        return self.context.log_path(process.log_number)

    def _note(self, starts: Sequence[Start]) -> None:
        """Write into the launcher's log what is started, before variables are filled in."""
        with self.context.log_path(0).with_name(LAUNCHER_LOG).open("a", encoding="utf-8") as log:
            for start in starts:
                words = " ".join(start.description.argv)
                log.write(f"{start.description.name} in {start.folder.name}: {words}\n")

    def _watching(self, starts: Sequence[Start]) -> Callable[[], None]:
        activity = Activity([each.log for each in starts])

        def watch() -> None:
            self.watch()
            if activity.is_seen():
                self.context.alive()

        return watch

    def _stop_requested(self) -> bool:
        return self.context.stop_requested


@contextmanager
def _held(count: int, chosen: int | None) -> Iterator[list[int]]:
    """So many ports, the first of them the chosen one; raises where that is somebody else's."""
    with held_ports(count, first=chosen or USUAL_PORT) as ports:
        if chosen not in (None, *ports[:1]):
            raise InvalidScriptError(say.PORT_OF_YOURS_TAKEN, number=chosen, parameter="variables")
        yield ports
