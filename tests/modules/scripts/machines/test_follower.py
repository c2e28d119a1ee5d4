"""What a machine that is not the first tells of the processes that it has started."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from modules.operating_system.process_table import IS_LINUX
from modules.scripts.machines.machine_files import MachineFiles, Request
from tests.polling import wait_for

pytestmark = pytest.mark.skipif(not IS_LINUX, reason="nodes of clusters are machines with Linux")
FOLLOW = """\
import os, sys
from pathlib import Path
from modules.scripts import activity
from modules.scripts.machines.follower import Follower
from modules.scripts.machines.machine_files import MachineFiles
activity.INTERVAL_SECONDS = 0.1
told = open(sys.argv[2], "a")
def alive():
    told.write("alive ")
    told.flush()
Follower(MachineFiles(Path(sys.argv[1])), 1, lambda own: {**os.environ, **own}, alive).run()
"""
QUIET_SECONDS = 1.5


def test_it_says_that_it_is_at_work_only_while_something_is(tmp_path: Path) -> None:
    folder, told = tmp_path / "machines", tmp_path / "told"
    folder.mkdir()
    told.touch()
    files = MachineFiles(folder)

    def start(number: str, command: str) -> None:
        words = ["/bin/sh", "-c", command]
        files.ask(1, number, Request(words, {}, str(tmp_path), str(tmp_path / f"log-{number}")))

    def is_quiet() -> bool:
        before = told.stat().st_size
        time.sleep(QUIET_SECONDS)
        return told.stat().st_size == before

    follower = subprocess.Popen([sys.executable, "-c", FOLLOW, str(folder), str(told)])
    try:
        start("1", "echo began; exec sleep 600")
        wait_for(lambda: (tmp_path / "log-1").exists() and told.stat().st_size > 0)
        wait_for(is_quiet)
        size = told.stat().st_size
        start("2", "while sleep 0.05; do echo on; done")
        wait_for(lambda: told.stat().st_size > size)
    finally:
        files.close()
        assert follower.wait(60) == 0
