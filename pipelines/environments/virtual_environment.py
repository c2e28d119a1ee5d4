"""Relocatable virtual environments, and their link to a base layer."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

from modules.errors import EnvironmentNotMadeError
from pipelines.environments.base_layer import base_scripts
from pipelines.sentences import environments as say

IS_WINDOWS = sys.platform == "win32"
LINK = "designer_base.pth"
SCRIPT = """#!/bin/sh
'''exec' "$(dirname -- "$(realpath -- "$0")")/python" "$0" "$@"
' '''
import sys
from {module} import {function}
sys.exit({called}())
"""
"""Command that finds its Python next to itself: valid in shell and Python."""


def bin_dir_of(folder: Path) -> Path:
    """Return the folder of its programs."""
    return folder / ("Scripts" if IS_WINDOWS else "bin")


def python_of(folder: Path) -> Path:
    """Return its Python."""
    return bin_dir_of(folder) / ("python.exe" if IS_WINDOWS else "python")


def site_packages_of(folder: Path) -> Path:
    """Return the folder of its packages."""
    if IS_WINDOWS:
        return folder / "Lib" / "site-packages"
    return next(iter(sorted(folder.glob("lib/python3*/site-packages"))), folder / "site-packages")


def make_virtual_environment(python: Path, folder: Path) -> None:
    """Create an empty one of that Python, without pip. Raises ``EnvironmentNotMadeError``."""
    command = [str(python), "-I", "-m", "venv", "--without-pip", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        output = " ".join((done.stderr or done.stdout).split())[-300:]
        raise EnvironmentNotMadeError(
            say.NO_VENV, python=python, reported=output, parameter="environment"
        )
    for script in (*bin_dir_of(folder).glob("[aA]ctivate*"),):
        script.unlink()  # they contain the folder of their creation
    with (folder / "pyvenv.cfg").open("a", encoding="utf-8") as file:
        file.write("relocatable = true\n")


def link_base(folder: Path, layer: Path) -> None:
    """Make its Python search a base layer after its own packages."""
    site = site_packages_of(folder)
    relative_path = os.path.relpath(layer, site)  # relative: the workspace may be moved
    (site / LINK).write_text(f"{relative_path}\n", encoding="utf-8")
    for name, (module, function) in base_scripts().items():
        _write_script(bin_dir_of(folder) / name, module, function)


def _write_script(path: Path, module: str, function: str) -> None:
    if IS_WINDOWS:  # its programs are not scripts: use `python -m`
        return
    first = function.partition(".")[0]
    text = SCRIPT.format(module=module, function=first, called=function)
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
