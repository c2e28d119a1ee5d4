"""Launch of a program's processes by a launcher, with a retry if a port was taken."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from modules.context import Context
from modules.errors import FailedToEvaluateScriptError, InvalidScriptError
from modules.files.log_output import log_output, rank_pipes, with_pipes
from modules.operating_system.wall import can_wall, wall
from modules.scripts.activity import Activity
from modules.scripts.arguments import variables_in, with_variables
from modules.scripts.bootstrap import NAMES, OPEN_MPI
from modules.scripts.environment_files import BootstrapSettings
from modules.scripts.extension_locks import remove_stale_locks
from modules.scripts.image_wall import ImageWall, folders_of, linked_from, require_image_wall
from modules.scripts.intake.intake import ADDRESS
from modules.scripts.launchers import LAUNCHERS, USUAL, Launcher
from modules.scripts.launchers.mpi import mpirun
from modules.scripts.launchers.ports import free_ports, held_ports
from modules.scripts.launchers.process_description import USUAL_PORT, Launch, ProcessDescription
from modules.scripts.launchers.program import Program
from modules.scripts.log_tail import size_of
from modules.scripts.machines.leader import Machines
from modules.scripts.machines.machine_files import Request
from modules.scripts.outcome import Launched
from modules.scripts.process_environment import environment_of, extensions_dir_of, gpus_of
from modules.scripts.source_snapshot import SourceSnapshot
from modules.scripts.starters import require_no_second_launcher, require_same_counts
from modules.scripts.supervisor import Process, Start, Supervisor
from modules.scripts.work_folder import WorkFolder
from modules.sentences import scripts as say

OF_RANKS = frozenset(
    {*NAMES, "NODE_RANK", "GROUP_RANK"} | {f"OMPI_COMM_WORLD_{name}" for name in OPEN_MPI}
)
"""Placeholders that the bootstrap replaces in the words of ranks started by others."""
LAUNCHER_LOG = "70_launcher_log.txt"
PORT_SECONDS = 60.0
"""Seconds in which a taken address counts as a conflict of the launcher's ports."""


@dataclass
class ScriptLaunch:
    """A program, ready to be started by the run settings."""

    context: Context
    snapshot: SourceSnapshot
    work: WorkFolder
    program: Program
    has_own_command: bool = False
    give_pytorch_names: bool = True
    variables: Mapping[str, str] = field(default_factory=dict)
    """Variables of all processes, in addition to those of their launcher."""
    can_use_network: bool = True
    machines: Machines = field(default_factory=Machines)
    """Machines of the nodes; by default all are on this machine."""
    watch: Callable[[], None] = lambda: None
    was_stopped: bool = False

    @property
    def launcher_name(self) -> str:
        return self.context.launcher or USUAL

    def run(self) -> Launched:
        """Start all processes and wait for their ends.

        Retries once with other ports if another program had taken one in the meantime. Raises
        ``ModuleError`` if nothing can be started.
        """
        self._check()
        launcher, launch = LAUNCHERS[self.launcher_name], self._launch()
        nodes = launcher.port_nodes(launch)
        count = nodes.count(0) if self.machines.are_several else len(nodes)
        chosen, host = self._chosen_port() if count else None, launch.host_of(0)
        began = time.monotonic()
        launched = self._attempt(launcher, launch, _held(count, chosen, host))
        has_begun = time.monotonic() - began > PORT_SECONDS
        if count and launched.port_was_taken and chosen is None and not has_begun:
            self.context.warn(say.PORT_TAKEN)
            ports = free_ports(count, host=host)
            launched = self._attempt(launcher, launch, nullcontext(ports))
        return launched

    def _check(self) -> None:
        if self.has_own_command:
            words, context = self.program.words, self.context
            require_no_second_launcher(words, self.launcher_name)
            counts = (context.node_count, context.process_count_per_node)
            require_same_counts(words, self.launcher_name, *counts)
        if self.launcher_name == "mpi" and mpirun() is None:
            raise InvalidScriptError(say.MPIRUN_MISSING, parameter="launcher")
        if self.launcher_name == "mpi" and not self.machines.have_equal_paths:
            raise InvalidScriptError(say.NO_MPI_APART, parameter="launcher")
        if self.launcher_name == "mpi" and self._image_wall is not None:
            raise InvalidScriptError(say.NO_MPI_IN_IMAGE, parameter="launcher")

    def _chosen_port(self) -> int | None:
        """Return the port of the node's own variables; None if any free one will do."""
        text = self.context.variables.get("MASTER_PORT")
        if text is None:
            return None
        if not text.isdecimal() or not 1024 <= int(text) <= 65_535:
            raise InvalidScriptError(say.PORT_NO_NUMBER, value=text, parameter="variables")
        return int(text)

    def _launch(self) -> Launch:
        context = self.context
        return Launch(
            self.program,
            node_count=context.node_count,
            processes_per_node=context.process_count_per_node,
            parameter_server_count=context.parameter_server_count,
            hosts=self.machines.addresses,
            networks=self.machines.networks,
            meeting_file=self.work.reports.with_name("process_group"),
            has_own_command=self.has_own_command,
            give_pytorch_names=self.give_pytorch_names,
        )

    def _attempt(
        self, launcher: Launcher, launch: Launch, ports: AbstractContextManager[list[int]]
    ) -> Launched:
        self.work.fill(self.snapshot)
        self.machines.attempt += 1
        launch.meeting_file.unlink(missing_ok=True)
        with ports as own:
            numbers = self.machines.ports(launcher.port_nodes(launch), own)
            processes = launcher.plan(replace(launch, ports=numbers))
            self._require_wall(len(processes))
            remove_stale_locks(extensions_dir_of(self.context))
            starts = [self._start(process, len(processes)) for process in processes]
            self._note(starts)
            self._warn_of_variables(processes)
            sizes = {start.description.name: size_of(start.log) for start in starts}
            watch, stop = self._watching(starts), self._stop_requested
            seconds = self.machines.failure_seconds
            supervisor = Supervisor(starts, watch, stop, self._begin, seconds)
            self._supervise(supervisor)
            self.machines.gather(self.context.alive)
        self.was_stopped = supervisor.why == "stopped"
        environment, apart = self.context.environment, self.machines.are_apart
        return Launched(
            starts,
            supervisor.ends,
            self.work.read_reports(by_folder=self.machines.are_several and not apart),
            sizes,
            environment.name if environment else None,
            self.launcher_name,
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
        folder, context = self.work.home_of(process), self.context
        gpus = gpus_of(self.machines.share_of(process.node), context.process_count_per_node)
        own = {**gpus, **process.variables}
        known = {**context.variables, **own}  # no secrets, as argument lists are visible
        variables = environment_of(context, count).of(
            {**self._variables(process), **context.secrets, **own}
        )
        argv = [self._moved(with_variables(word, known), folder) for word in process.argv]
        argv = self._walled(argv)
        settings = self._told(process)
        pipes = self._pipes(process) if self.machines.is_here(process.node) else {}
        variables["DESIGNER_BOOTSTRAP"] = json.dumps(with_pipes(settings, pipes))
        values = tuple(context.secrets.values())
        return Start(process, argv, variables, folder, self._log_of(process), values, pipes)

    def _warn_of_variables(self, processes: Sequence[ProcessDescription]) -> None:
        """Warn once of variables in the program's words that no process of the launch has."""
        if self.machines.attempt > 1 or self.program.is_shell:
            return
        known = {
            *self.context.variables,
            *(name for process in processes for name in process.variables),
        }
        if any(process.rank is None for process in processes):  # its ranks have their own
            known |= OF_RANKS
        names = {name for word in self.program.words for name in variables_in(word)} - known
        names -= gpus_of(0, 1).keys()
        if names:
            facts = {"names": [f"${name}" for name in sorted(names)], "count": len(names)}
            self.context.warn(say.VARIABLES_NOT_REPLACED, launcher=self.launcher_name, **facts)

    def _pipes(self, process: ProcessDescription) -> dict[str, str]:
        """Return named pipes to the logs of a process's ranks, if output must be redacted."""
        context, per_node = self.context, self.context.process_count_per_node
        if not context.secrets or process.rank is not None:
            return {}
        is_all = process.starts_elsewhere and not self.machines.are_several
        count = per_node * (context.node_count if is_all else 1)
        first = 0 if is_all else process.node * per_node
        logs = [context.log_path(first + number) for number in range(count)]
        return rank_pipes(self.work.root / "pipes" / str(process.node), logs)

    def _walled(self, argv: list[str]) -> list[str]:
        if self._image_wall is not None:
            variables = self.context.variables
            return self._image_wall.around(argv, variables, network=self.can_use_network)
        return argv if self.can_use_network else wall(argv, self._packages, network=False)

    @cached_property
    def _image_wall(self) -> ImageWall | None:
        """Return the sandbox of the step's image environment, with the step's folders in it."""
        environment, logs = self.context.environment, self.context.log_path(0).parent
        if environment is None or environment.image is None:
            return None
        own = self.variables.items()
        inputs = [Path(value) for name, value in own if name.startswith("DESIGNER_INPUT_")]
        metrics = [Path(value).parent for name, value in own if name == "DESIGNER_METRICS"]
        return ImageWall(
            environment.image,
            writable=[self.work.root, logs, extensions_dir_of(self.context), *metrics],
            readable=folders_of([*inputs, *linked_from(self.work.inputs)]),
        )

    def _variables(self, process: ProcessDescription) -> dict[str, str]:
        """Return all variables except the environment and secrets, which each machine adds."""
        folder = self.work.home_of(process)
        there = {name: self._moved(value, folder) for name, value in self.variables.items()}
        own = {**process.variables, **self.machines.variables(process)}
        return {**there, **self.context.variables, **own}

    def _begin(self, start: Start) -> Process:
        """Start a process on its machine."""
        process = start.description
        # without an address that other machines cannot reach, and variables that each adds itself
        left_out = {*ADDRESS, *self.context.secrets} - process.variables.keys()
        all_variables = self._variables(process)
        variables = {name: value for name, value in all_variables.items() if name not in left_out}
        places = str(start.folder), str(start.log)
        attempt, told_there = self.machines.attempt, self._told(process)
        request = Request(list(start.argv), variables, *places, told_there, attempt)
        return self.machines.begin(start, request)

    def _require_wall(self, num_processes: int) -> None:
        """Raise if a sandbox or an image is required but not available."""
        if self._image_wall is not None:
            require_image_wall()
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

    def _moved(self, text: str, folder: Path) -> str:
        """Replace the first working folder in a text by another one."""
        return text.replace(str(self.work.home), str(folder))

    def _told(self, process: ProcessDescription) -> BootstrapSettings:
        """Return the settings of the bootstrap."""
        starts_ranks = process.rank is None
        return {
            "parent": os.getpid(),
            "reports": str(self.work.reports),
            "logs": str(self.context.log_path(0).parent.absolute()) if starts_ranks else None,
            "home": str(self.work.home),
            "folders": self.work.kind if starts_ranks else None,
            "weights": self.context.node_count * self.context.process_count_per_node > 1,
            "secrets": list(self.context.secrets),
        }

    def _log_of(self, process: ProcessDescription) -> Path:
        if process.log_number is None:
            return self.context.log_path(0).with_name(LAUNCHER_LOG)
        return self.context.log_path(process.log_number)

    def _note(self, starts: Sequence[Start]) -> None:
        """Write the started commands to the launcher's log, before variables are replaced."""
        with log_output(self.context.log_path(0).with_name(LAUNCHER_LOG)) as output:
            for start in starts:
                words = " ".join(start.description.argv)
                line = f"{start.description.name} in {start.folder.name}: {words}\n"
                os.write(output.descriptor, line.encode())

    def _watching(self, starts: Sequence[Start]) -> Callable[[], None]:
        activity = Activity([start.log for start in starts])

        def watch() -> None:
            self.watch()
            if activity.is_seen():
                self.context.alive()

        return watch

    def _stop_requested(self) -> bool:
        return self.context.stop_requested


@contextmanager
def _held(count: int, chosen: int | None, host: str) -> Iterator[list[int]]:
    """Reserve ports, the first of them the requested one; raise if that is taken."""
    with held_ports(count, first=chosen or USUAL_PORT, host=host) as ports:
        if chosen not in (None, *ports[:1]):
            raise InvalidScriptError(say.PORT_OF_YOURS_TAKEN, number=chosen, parameter="variables")
        yield ports
