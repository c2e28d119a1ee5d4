"""What mpirun calls to start its daemon on another machine, at paths that hold a space."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from modules.operating_system.process_table import IS_LINUX
from modules.scripts.launchers.mpi import AGENT
from modules.scripts.machines.leader import REMOTE_SHELL
from modules.scripts.machines.machine_files import MachineFiles, Reached, Request

pytestmark = pytest.mark.skipif(not IS_LINUX, reason="nodes of clusters are machines with Linux")
FOLLOW = """\
import os, sys
from pathlib import Path
from modules.scripts.machines.follower import Follower
from modules.scripts.machines.machine_files import MachineFiles
Follower(MachineFiles(Path(sys.argv[1])), 1, lambda own: {**os.environ, **own}).run()
"""


def test_a_command_starts_on_its_machine_wherever_python_and_its_files_are(tmp_path: Path) -> None:
    folder = tmp_path / 'a  folder\'s "own" *'
    program = folder / "remote_shell.py"
    folder.mkdir()
    (folder / "machines").mkdir()
    (folder / "bin").symlink_to(Path(sys.executable).parent)
    shutil.copy(REMOTE_SHELL["DESIGNER_REMOTE_PROGRAM"], program)
    files = MachineFiles(folder / "machines")
    files.tell_reached(1, Reached("10.0.0.2", None, None, []))
    files.write_shell(Request([], {}, str(folder), str(folder / "log")))
    variables = {
        **REMOTE_SHELL,
        "DESIGNER_PYTHON": str(folder / "bin" / Path(sys.executable).name),
        "DESIGNER_REMOTE_PROGRAM": str(program),
        "DESIGNER_MACHINES": str(files.folder),
    }
    follower = subprocess.Popen([sys.executable, "-c", FOLLOW, str(files.folder)])
    try:
        # as Open MPI does: split at spaces, then the machine and a command that a shell will read
        words = [*AGENT.split(" "), "10.0.0.2", " echo", '"two  words"', "&& exit 7"]
        done = subprocess.run(words, env={**os.environ, **variables}, check=False, timeout=60)
    finally:
        files.close()
        assert follower.wait(60) == 0
    assert done.returncode == 7
    assert (folder / "log").read_text() == "two  words\n"
    assert '"' not in AGENT
