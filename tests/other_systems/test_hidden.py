"""What is taken away from a process that is to behave as on another system is really gone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.other_systems.as_if import SYSTEMS, environment_of

ASKING = """
import json, os, subprocess, signal, sys
told = {}
def tells(name, call):
    try:
        told[name] = call()
    except Exception as error:
        told[name] = type(error).__name__
def write(name):
    open(name, "w").close()
tells("fork", lambda: hasattr(os, "fork"))
tells("fcntl", lambda: __import__("fcntl") and "there")
tells("resource", lambda: __import__("resource") and "there")
tells("alarm", lambda: hasattr(signal, "SIGALRM"))
tells("kill", lambda: hasattr(signal, "SIGKILL"))
tells("proc", lambda: bool(os.listdir("/proc")))
tells("link", lambda: os.symlink("a", "link"))
tells("first", lambda: write("Name"))
tells("second", lambda: write("name"))
tells("device", lambda: write("aux.txt"))
tells("folder", lambda: os.close(os.open(".", os.O_RDONLY)))
with open("open", "w"):
    tells("replace", lambda: os.replace("Name", "open"))
ended = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
ended.terminate()
tells("ended", ended.wait)
from modules.operating_system import forking, locks, names, process_table, spawning
tells("forks", forking.can_fork)
tells("windows", lambda: spawning.IS_WINDOWS)
tells("linux", lambda: process_table.IS_LINUX)
tells("usable", lambda: [names.usable_name(each) for each in ("con", "Aux.txt", "a:b", "a.", "ok")])
print(json.dumps(told))
"""
EVERYWHERE = {"proc": "FileNotFoundError", "first": None, "second": "FileExistsError"}
EXPECTED = {
    "windows": EVERYWHERE
    | dict.fromkeys(("fork", "alarm", "kill", "forks", "linux"), False)
    | dict.fromkeys(("fcntl", "resource"), "ModuleNotFoundError")
    | dict.fromkeys(("folder", "replace"), "PermissionError")
    | {"link": "OSError", "device": "OSError", "ended": 1, "windows": True}
    | {"usable": ["_con", "_Aux.txt", "a_b", "a_", "ok"]},
    "macos": EVERYWHERE
    | dict.fromkeys(("fork", "alarm", "kill"), True)
    | dict.fromkeys(("forks", "windows", "linux"), False)
    | dict.fromkeys(("fcntl", "resource"), "there")
    | dict.fromkeys(("link", "device", "folder", "replace"))
    | {"ended": -15, "usable": ["con", "Aux.txt", "a:b", "a.", "ok"]},
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_is_really_hidden(system: str, tmp_path: Path) -> None:
    said = subprocess.check_output(
        [sys.executable, "-c", ASKING], env=environment_of(system), cwd=tmp_path, text=True
    )
    assert json.loads(said) == EXPECTED[system]
