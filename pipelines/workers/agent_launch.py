"""Commands run on a machine by ssh: ``python -m pipelines.workers.agent_launch WORD SPEC ...``.

    look SPEC          report whether the machine can access the step's folder and is free
    start SPEC RANK    start the keeper of an agent, which survives the connection
    end SPEC           end the process that holds the machine for this step

Each prints one line of JSON: ``{"is_free"}``, or ``{"missing", "why"}``.
"""

from __future__ import annotations

import getpass
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

from modules.files.log_output import log_output
from modules.operating_system.spawning import python_command
from pipelines.workers.agent_files import AgentFiles
from pipelines.workers.machine_lock import MachineLock
from pipelines.workers.node_facts import FolderLack, folder_lack

SCOPE = ("systemd-run", "--user", "--scope", "--quiet", "--collect")
"""Command that starts a process outside the login session, so that it survives logging out."""
SCOPE_TIMEOUT_SECONDS = 10.0
LINGERING = Path("/var/lib/systemd/linger")
"""Contains a file for each user whose systemd instance outlives the login. Another user's systemd
ends its scopes with the last session, while a separate session survives."""


class MachineState(TypedDict):
    """Answer of a machine whose folder can be used."""

    is_free: bool


def look(spec_path: Path) -> MachineState | FolderLack:
    """Return ``is_free``, or ``missing`` (``folder`` or ``writing``) and ``why``."""
    lack = folder_lack(AgentFiles(spec_path.parent).folder)
    if lack is not None:
        return lack
    with MachineLock() as machine:
        return {"is_free": machine.is_free()}


def start(spec_path: Path, node_rank: int) -> MachineState | FolderLack:
    """Start the keeper, unless ``look`` reports something missing."""
    files = AgentFiles(spec_path.parent)
    lack = folder_lack(files.folder)
    if lack is not None:
        return lack
    files.beat(node_rank)  # its heartbeat counts from now on
    command = python_command("pipelines.workers.agent_keeper", str(spec_path), str(node_rank))
    with log_output(files.folder / f"agent-{node_rank}.log") as output:
        process = subprocess.Popen(
            [*_scope(), *command],
            stdin=subprocess.DEVNULL,
            stdout=output.descriptor,
            stderr=output.descriptor,
            start_new_session=True,
        )
    process.returncode = 0  # no one waits for it here
    return {"is_free": False}


def end(spec_path: Path) -> MachineState | FolderLack:
    """Ask the process that holds the machine for this step to end."""
    with MachineLock() as machine:
        holder = machine.holder(spec_path)
        if holder is not None:
            holder.signal(signal.SIGTERM)
        return {"is_free": machine.is_free()}


def _scope() -> tuple[str, ...]:
    """Return the command prefix for a systemd scope; empty if a scope would not survive."""
    if shutil.which(SCOPE[0]) is None or not (LINGERING / getpass.getuser()).exists():
        return ()
    try:
        tried = subprocess.run(
            [*SCOPE, "true"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SCOPE_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return SCOPE if tried.returncode == 0 else ()


def main() -> None:
    """Run the given command."""
    word, spec_path, *rest = sys.argv[1:]
    match word:
        case "look":
            answer: MachineState | FolderLack = look(Path(spec_path))
        case "start":
            answer = start(Path(spec_path), int(rest[0]))
        case "end":
            answer = end(Path(spec_path))
        case _:
            sys.exit(f"{word} is none of look, start, end")
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
