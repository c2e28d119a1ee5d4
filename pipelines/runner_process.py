"""The process of a runner: launched, locked, left alone by who launched it.

``python -m pipelines.runner_process --workspace DIR``. It takes the lock before it loads what a
runner needs, which takes a second: whoever launches one early has it ready when it is asked for.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys

from pipelines.runner_lock import announce, try_lock
from pipelines.workspace import Workspace

IDLE_MINUTES = 10.0
LAUNCH_SECONDS = 20.0


def launch_runner(workspace: Workspace, *, warm: bool = False) -> None:
    """Begin to start a runner, unless there is one; ``warm`` ones load torch before it is needed.

    What goes wrong is in the runner's log.
    """
    arguments = [sys.executable, "-m", "pipelines.runner_process", "--detach"]
    arguments += ["--workspace", str(workspace.root)] + (["--warm"] if warm else [])
    with workspace.runner_log_path.open("ab") as log:
        subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            timeout=LAUNCH_SECONDS,
            check=False,
        )


def main() -> None:
    """Become the runner of a workspace, unless it has one."""
    parser = argparse.ArgumentParser(prog="pipelines.runner_process")
    parser.add_argument("--workspace", required=True)
    parser.add_argument("--idle-minutes", type=float, default=IDLE_MINUTES)
    parser.add_argument("--detach", action="store_true", help="leave the process that started it")
    parser.add_argument("--warm", action="store_true", help="load torch before it is needed")
    arguments = parser.parse_args()
    workspace = Workspace.at(arguments.workspace)
    lock = try_lock(workspace.runner_lock_path)
    if lock is None:
        sys.exit(0)
    if arguments.detach and os.fork():
        os._exit(0)  # the lock lives on in the child, which is nobody's child
    _become_runner(workspace, arguments.idle_minutes, arguments.warm)
    lock.close()
    os._exit(0)  # planning threads may still be hashing


def _become_runner(workspace: Workspace, idle_minutes: float, warm: bool) -> None:
    from pipelines.runner import Runner

    announce(workspace)
    runner = Runner(workspace, idle_minutes=idle_minutes)

    def stop(*_: object) -> None:
        runner.stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if warm:
        runner.warm()
    runner.serve()


if __name__ == "__main__":
    main()
