"""Likenesses of what Windows alone has: its locks, its ends of processes, sockets handed on."""

from __future__ import annotations

import fcntl
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
from types import ModuleType
from typing import Any

KILLED = 9
"""How a process of Linux ends without being asked, as all that end another do on Windows."""
_kill, _lock, _exclusive = os.kill, fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB
_told_codes: dict[int, int] = {}
FETCH_SECONDS = 60.0


def install() -> None:
    """Put them in the places of Linux' own."""
    likeness = ModuleType("msvcrt")
    likeness.__dict__.update(locking=_locking, LK_NBLCK=2)
    sys.modules["msvcrt"] = likeness
    os.kill = _terminate
    for name in ("kill", "terminate"):
        setattr(subprocess.Popen, name, lambda self: self.send_signal(1))  # as TerminateProcess
    _wrap_popen(subprocess.Popen)
    socket.socket.share = _share  # type: ignore[attr-defined]
    socket.fromshare = _fromshare  # type: ignore[attr-defined]


def _locking(descriptor: int, mode: int, num_bytes: int) -> None:
    """Whoever finds the bytes locked is refused."""
    assert (mode, num_bytes) == (2, 1)
    try:
        _lock(descriptor, _exclusive)
    except BlockingIOError:
        raise PermissionError(13, "Permission denied") from None


def _terminate(pid: int, number: int) -> None:
    """Any signal ends a process at once, with its number as the exit code."""
    assert number > 0, "0 is Ctrl+C for a whole console there"
    _told_codes[pid] = int(number)
    try:
        _kill(pid, KILLED)
    except ProcessLookupError:
        raise OSError(22, "The parameter is incorrect") from None


def _wrap_popen(popen: Any) -> None:
    begin, end = popen.__init__, popen._handle_exitstatus

    def starting(self: Any, *arguments: Any, **options: Any) -> None:
        if options.get("pass_fds") or options.get("preexec_fn"):
            raise ValueError("Windows passes no file descriptors on and forks nothing.")
        options.pop("creationflags", None)
        begin(self, *arguments, **options)

    def ended(self: Any, *arguments: Any, **options: Any) -> None:
        end(self, *arguments, **options)
        if self.returncode == -KILLED:
            self.returncode = _told_codes.pop(self.pid, int(signal.SIGTERM))

    popen.__init__, popen._handle_exitstatus = starting, ended


def _share(self: socket.socket, pid: int) -> bytes:
    """A description of a copy of the socket, by which one process can fetch it."""
    assert pid > 0
    name = f"\0designer-{secrets.token_hex(8)}"
    offer = socket.socket(socket.AF_UNIX)
    offer.bind(name)
    offer.listen(1)
    offer.settimeout(FETCH_SECONDS)
    threading.Thread(target=_hand_over, args=(offer, self.dup()), daemon=True).start()
    return name.encode()


def _hand_over(offer: socket.socket, copy: socket.socket) -> None:
    with offer, copy, offer.accept()[0] as fetching:
        socket.send_fds(fetching, [b"x"], [copy.fileno()])


def _fromshare(description: bytes) -> socket.socket:
    with socket.socket(socket.AF_UNIX) as fetching:
        fetching.connect(description.decode())
        _, descriptors, _, _ = socket.recv_fds(fetching, 1, 1)
    return socket.socket(fileno=descriptors[0])
