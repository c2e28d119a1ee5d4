"""A training script that ignores SIGTERM, and its processes on this machine."""

from __future__ import annotations

import os
from uuid import uuid4

import psutil

MARK = f"MINE_{uuid4().hex}"
"""An environment variable that no other process of this machine has."""
STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
subprocess.Popen(sleep, start_new_session=True)
print("started", flush=True)
time.sleep(600)
"""


def marked() -> list[psutil.Process]:
    """Return the living processes that were started with ``MARK`` as a variable."""
    results = []
    for process in psutil.process_iter():
        try:
            if MARK in process.environ() and process.status() != psutil.STATUS_ZOMBIE:
                results.append(process)
        except psutil.Error:
            continue
    return [item for item in results if item.pid != os.getpid()]
