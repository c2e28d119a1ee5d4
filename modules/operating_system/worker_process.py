"""Worker: a fork of this process that does its work and ends; only where processes can fork."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from modules.operating_system.parent_death import die_with_parent

logger = logging.getLogger(__name__)


def start_worker(work: Callable[[], object]) -> int:
    """Fork a worker that ends with this process; return its pid.

    Args:
        work: Called in the worker, with the default handlers of SIGTERM and SIGINT. The worker ends
            with the code of ``SystemExit``, 0 if it returns, and 1 if it raises.
    """
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _work(parent, work)
    return pid


def wait_for_worker(pid: int) -> int:
    """Wait for the end of a worker; return its exit code, or the negative number of a signal."""
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def _work(parent: int, work: Callable[[], object]) -> NoReturn:
    code = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        die_with_parent(parent)
        work()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        logger.exception("A worker failed")
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
