"""Process of a runner: launched, locked, detached from its launcher.

``python -m pipelines.execution.runner_process --workspace DIR`` acquires the lock before it imports
what a runner needs, which takes a second: launched early, it is ready for the first request.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from typing import IO

from modules.operating_system.files import open_private
from modules.operating_system.forking import continue_in_child
from modules.operating_system.guardian import continue_in_guarded_child
from modules.operating_system.orphans import MARK
from modules.operating_system.signals import GIVE_UP, ignore_interrupts
from modules.operating_system.spawning import launch_detached, python_command
from pipelines.errors import DatabaseDamagedError, WorkspaceGoneError
from pipelines.execution.runner_lock import announce, current_runner, try_lock
from pipelines.workspace import Workspace

LAUNCH_TIMEOUT_SECONDS = 60.0
LOCK_TIMEOUT_SECONDS = 20.0


def launch_runner(workspace: Workspace, *, warm: bool = False) -> None:
    """Launch a runner unless there is one; ``warm`` ones import torch in advance.

    Errors are in the runner's log.
    """
    options = ["--detach", "--workspace", str(workspace.root), *(["--warm"] if warm else [])]
    with open(open_private(workspace.runner_log_path), "ab") as log:
        launch_detached(
            python_command("pipelines.execution.runner_process", *options),
            output=log,
            env={name: value for name, value in os.environ.items() if name != MARK},
            timeout_seconds=LAUNCH_TIMEOUT_SECONDS,
        )


def main() -> None:
    """Run as the runner of a workspace, unless it has one."""
    parser = argparse.ArgumentParser(prog="pipelines.execution.runner_process")
    parser.add_argument("--workspace", required=True)
    parser.add_argument("--idle-minutes", type=float, help="idle time after which the runner ends")
    parser.add_argument(
        "--detach", action="store_true", help="detach from the process that started it"
    )
    parser.add_argument("--warm", action="store_true", help="load torch in advance")
    parser.add_argument(
        "--stalled-seconds", type=float, help="time without events after which a step is stalled"
    )
    arguments = parser.parse_args()
    workspace = Workspace.at(arguments.workspace)
    try:
        lock = _lock(workspace)
    except WorkspaceGoneError as error:
        sys.exit(str(error))
    if lock is None:
        sys.exit(0)
    if arguments.detach:
        continue_in_child()  # the lock stays held there
    continue_in_guarded_child()  # a guardian outlives it from here on, to end what it leaves
    options = {name: getattr(arguments, name) for name in ("idle_minutes", "stalled_seconds")}
    settings = {name: value for name, value in options.items() if value is not None}
    exit_code = _exit_code(workspace, arguments.warm, **settings)
    lock.close()
    os._exit(exit_code)  # planning threads may still be hashing


def _exit_code(workspace: Workspace, warm: bool, **settings: float) -> int:
    """Run to the end; a damaged database ends the runner with a message in its log.

    Its guardian cleans up as after a crash; the runs continue when the database is restored.
    """
    try:
        _become_runner(workspace, warm, **settings)
    except DatabaseDamagedError as error:
        print(error, file=sys.stderr, flush=True)
        return 1
    return 0


def _lock(workspace: Workspace) -> IO[str] | None:
    """Return the runner's lock, when a dead runner's guardian frees it; None: one lives."""
    deadline = time.monotonic() + LOCK_TIMEOUT_SECONDS
    while (lock := try_lock(workspace.runner_lock_path)) is None:
        if current_runner(workspace) is not None or time.monotonic() > deadline:
            return None
        time.sleep(0.02)
    return lock


def _become_runner(workspace: Workspace, warm: bool, **settings: float) -> None:
    from pipelines.execution.runner import Runner

    announce(workspace)
    runner = Runner(workspace, **settings)

    def stop(*_: object) -> None:
        runner.stopping = True

    def give_up(*_: object) -> None:
        runner.stopping = runner.giving_up = True

    # Signals only set what the loop reads: steps are ended in its order, not in a handler.
    signal.signal(GIVE_UP, give_up)
    signal.signal(signal.SIGTERM, stop)
    ignore_interrupts()
    if warm:
        runner.warm()
    try:
        runner.serve()
    except Exception as error:
        damage = runner.database.damage()  # its rows raise errors of any kind
        if damage is None:
            raise
        raise damage from error


if __name__ == "__main__":
    main()
