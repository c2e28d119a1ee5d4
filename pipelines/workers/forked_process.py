"""Forked child process with the interface of ``Popen``."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from typing import NoReturn

from modules.operating_system.forking import exit_code_of, fork
from modules.operating_system.signals import KILL

POLL_SECONDS = 0.02


class ForkedProcess:
    """Child of this process with the interface of ``Popen``."""

    def __init__(self, run: Callable[[], NoReturn]) -> None:
        self._pid = fork(run)

    def wait(self, timeout: float, /) -> int:
        """Return the exit code, or the negative signal. Raises ``TimeoutExpired`` while it runs."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            code = exit_code_of(self._pid)
            if code is not None:
                return code
            time.sleep(POLL_SECONDS)
        raise subprocess.TimeoutExpired("host", timeout)

    def terminate(self) -> None:
        """Send SIGTERM."""
        os.kill(self._pid, signal.SIGTERM)

    def kill(self) -> None:
        """Kill it."""
        os.kill(self._pid, KILL)
