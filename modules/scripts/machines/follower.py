"""Follower machine of a script: it starts what the leader requests, until the leader is done.

When it is terminated, as its agent does when another machine fails or the step is cancelled, it
ends what it has started, and reports that.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from modules.context import Context, StepCancelledError
from modules.files.log_output import LogOutput, log_output, rank_pipes, with_pipes
from modules.operating_system.forking import signal_group
from modules.operating_system.orphans import adopting_orphans, end_children, own_children
from modules.operating_system.signals import KILL
from modules.scripts.activity import Activity
from modules.scripts.launchers.ports import held_ports
from modules.scripts.machines.machine_files import (
    GATHER,
    OVER,
    POLL_SECONDS,
    MachineFiles,
    Request,
    reached_at,
)
from modules.scripts.machines.own_folder import OwnFolder
from modules.scripts.process_environment import environment_of, gpus_of

NOT_STARTED = 127
"""Exit code of a program that could not be started, as in a shell."""


def follow(context: Context, own_folder: OwnFolder | None = None) -> None:
    """Follow the leader of a step on this machine, until the leader is done.

    ``own_folder`` is its working folder, if it cannot see the leader's.
    """
    machine = context.machine
    if machine is None:
        raise ValueError("a step of one machine cannot have a follower")
    files = MachineFiles.of(context)
    own = environment_of(context, context.process_count_per_node)
    gpus = gpus_of(0, context.process_count_per_node)
    count = context.process_count_per_node + context.parameter_server_count

    def complete(variables: Mapping[str, str]) -> dict[str, str]:
        return own.of({**context.secrets, **gpus, **variables})

    with held_ports(count, first=0, host=machine.address) as ports:
        files.tell_reached(context.rank, reached_at(machine, ports))
        follower = Follower(files, context.rank, complete, context.alive, own_folder)
        follower.secrets = tuple(context.secrets.values())
        follower.processes_per_node = context.process_count_per_node
        follower.run()


@dataclass
class Follower:
    """One machine, which is not the first."""

    files: MachineFiles
    node: int
    complete: Callable[[dict[str, str]], dict[str, str]]
    """Function that adds this machine's own variables to those of a request."""
    alive: Callable[[], None] = lambda: None
    """Called while any process started here prints or computes."""
    own_folder: OwnFolder | None = None
    secrets: Collection[str] = ()
    """Values that are redacted in logs."""
    processes_per_node: int = 1
    _logs: list[Path] = field(default_factory=list)
    _running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _outputs: dict[str, LogOutput] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _cancelled: bool = False

    def run(self) -> None:
        """Start requested processes, and wait for their ends, until the leader is done.

        Processes that still run then, such as mpirun's daemon, are no longer needed. Raises
        ``StepCancelledError`` if this process was terminated meanwhile.
        """
        others = own_children()
        signal.signal(signal.SIGTERM, self._cancel)
        with adopting_orphans():
            try:
                self._follow()
            finally:
                for process in self._running.values():
                    signal_group(process.pid, KILL)
                end_children(keep=others)
                self._tell_ends()
        if self._cancelled:
            raise StepCancelledError

    def _cancel(self, *_: object) -> None:
        self._cancelled = True

    def _follow(self) -> None:
        activity = Activity(self._logs)
        while OVER not in (names := self.files.names()) and not self._cancelled:
            self._look(names - self._seen)
            self._seen |= names
            if activity.is_seen():
                self.alive()
            time.sleep(POLL_SECONDS)

    def _tell_ends(self) -> None:
        """Report the end of all processes here, for which the leader would otherwise wait."""
        with suppress(OSError):  # the attempt was aborted, and its folder is removed
            for number in self._running:
                self.files.tell_end(number, -int(KILL))

    def _look(self, new: set[str]) -> None:
        for number, request in self.files.asked(self.node, new).items():
            self._start(number, request)
        for name in new:
            if name.startswith("signal-"):
                self._pass_on(name)
            elif name.startswith(GATHER) and self.own_folder is not None:
                self.own_folder.hand_on(self.files, name.removeprefix(GATHER))
        for number, process in list(self._running.items()):
            code = process.poll()
            if code is not None:
                del self._running[number]
                self._outputs.pop(number).await_written()
                self.files.tell_end(number, code)

    def _here(self, request: Request) -> Request:
        """Return the request with the paths of this machine."""
        first = self.files.reached(0)
        if self.own_folder is None or first is None:
            return request
        return self.own_folder.here(request, first.root)

    def _start(self, number: str, request: Request) -> None:
        request = self._here(request)
        variables = self.complete(request.variables)
        pipes = self._pipes(request)
        if request.told is not None:
            settings = {**with_pipes(request.told, pipes), "parent": os.getpid()}
            variables["DESIGNER_BOOTSTRAP"] = json.dumps(settings)
        self._logs.append(Path(request.log))
        is_started = True
        with log_output(self._logs[-1], self.secrets, pipes) as output:
            try:
                self._outputs[number] = output
                self._running[number] = subprocess.Popen(
                    request.argv,
                    cwd=request.folder,
                    env=variables,
                    stdin=subprocess.DEVNULL,
                    stdout=output.descriptor,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                line = f"{request.argv[0]} cannot be started: {error.strerror}\n"
                os.write(output.descriptor, line.encode())
                is_started = False
        if not is_started:
            self._outputs.pop(number).await_written()
            self.files.tell_end(number, NOT_STARTED)

    def _pipes(self, request: Request) -> dict[str, str]:
        """Return named pipes to the logs of a process's ranks, if output must be redacted."""
        logs = (request.told or {}).get("logs")
        if not self.secrets or logs is None:
            return {}
        first = self.node * self.processes_per_node
        ranks = range(first, first + self.processes_per_node)
        folder = Path(str(request.told and request.told["reports"])).with_name("pipes")
        names = [Path(logs) / f"70_driver_log_{rank}.txt" for rank in ranks]
        return rank_pipes(folder / str(self.node), names)

    def _pass_on(self, name: str) -> None:
        """Send the signal of a signal file."""
        number, _, signal_number = name.removeprefix("signal-").rpartition("-")
        process = self._running.get(number)
        if process is not None and signal_number.isdecimal():
            signal_group(process.pid, signal.Signals(int(signal_number)))
