"""New processes with a socket connection: helpers on systems that cannot fork."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any

from modules.operating_system.forking import can_fork

IS_WINDOWS = sys.platform == "win32"


def python_command(program: str, *arguments: str) -> list[str]:
    """Return the command of the Python module ``program``; also on Windows it uses UTF-8."""
    return [sys.executable, *(["-X", "utf8"] if IS_WINDOWS else []), "-m", program, *arguments]


def handing_on(*descriptors: int) -> dict[str, Any]:
    """Return options of ``Popen`` to inherit these open files; not available on Windows."""
    return {} if IS_WINDOWS else {"pass_fds": descriptors}


def spawn(
    program: str,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    output: int | IO[bytes] | None = None,
    **options: Any,
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start the Python module ``program`` with a connection; return the process and this end of it.

    Its first argument is for ``connection_to_parent``, which returns the other end. Its output goes
    to ``output``, by default that of this process. ``options`` are those of ``Popen``.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            python_command(program, _name_of(theirs), *arguments),
            stdin=subprocess.PIPE if IS_WINDOWS else subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            **_as_itself(env),
            **handing_on(theirs.fileno()),
            **options,
        )
        if process.stdin is not None:  # on Windows a socket is passed by a description of it
            with process.stdin:
                process.stdin.write(_description(theirs, process.pid))
    return process, ours


def _as_itself(env: Mapping[str, str] | None) -> dict[str, Any]:
    """Return options of ``Popen`` that start Python itself as the child process.

    The ``python.exe`` of a virtual environment only starts another one, which could not receive the
    socket: so the other one is started directly, with its environment.
    """
    if not IS_WINDOWS:
        return {"env": env}
    own = {**(os.environ if env is None else env), "__PYVENV_LAUNCHER__": sys.executable}
    return {"env": own, "executable": getattr(sys, "_base_executable", sys.executable)}


def launch_detached(
    command: Sequence[str], *, output: IO[bytes], env: Mapping[str, str], timeout_seconds: float
) -> None:
    """Start a program that outlives this process: it calls ``continue_in_child`` if it can fork.

    Raises ``TimeoutExpired`` if it has not done so in time.
    """
    plain = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output, "env": env}
    if can_fork():
        run: Any = subprocess.run
        run(command, start_new_session=True, timeout=timeout_seconds, check=False, **plain)
        return
    flags = sum(getattr(subprocess, name, 0) for name in DETACHED)
    popen: Any = subprocess.Popen
    _launched.append(popen(command, start_new_session=True, creationflags=flags, **plain))


DETACHED = ("DETACHED_PROCESS", "CREATE_NEW_PROCESS_GROUP")
_launched: list[Any] = []
"""References, as Python would otherwise warn of processes that are not waited for."""


def connection_to_parent(name: str) -> socket.socket:
    """Return a spawned process's end of the connection in its first argument."""
    if name == BY_DESCRIPTION:
        return _from_description(sys.stdin.buffer.read())
    return socket.socket(fileno=int(name))


BY_DESCRIPTION = "by-description"


def _name_of(connection: socket.socket) -> str:
    return BY_DESCRIPTION if IS_WINDOWS else str(connection.fileno())


def _description(connection: Any, pid: int) -> bytes:
    description: bytes = connection.share(pid)
    return description


def _from_description(description: bytes) -> socket.socket:
    made: socket.socket = getattr(socket, "fromshare")(description)  # noqa: B009
    return made
