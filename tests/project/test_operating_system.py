"""What differs between systems is named in one package, and all else can be imported on any."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.project import source
from tests.project.source import ROOT

PLACE = "modules/operating_system/"
OF_ONE_SYSTEM = re.compile(
    r"\b(fcntl|msvcrt|prctl|os\.(fork|setsid|killpg|waitpid|wait3|nice)|import resource|_exit_group"
    r"|SIG(ALRM|KILL|CHLD|HUP|USR1|USR2|STOP|CONT)|pidfd_\w+|sched_getaffinity)\b|/proc\b|/sys/fs"
)
ALONE = "modules/scripts/bootstrap.py"
"""Runs in a Python that has none of our packages: it says all by itself."""
PACKAGES = ("modules", "pipelines", "designer_app", "pipeline_designer")
HIDING = """
import importlib, os, signal, sys
names = {names!r}
for name in names:  # what other libraries need of the system is loaded with them
    importlib.import_module(name)
for name in [each for each in sys.modules if each.partition(".")[0] in {packages!r}]:
    del sys.modules[name]
for name in ("fcntl", "resource"):
    sys.modules[name] = None
for holder, lacking in {lacking!r}.items():
    for name in lacking:
        delattr({{"os": os, "signal": signal}}[holder], name)
for name in names:
    importlib.import_module(name)
"""
LACKING = {
    "os": ("fork", "forkpty", "setsid", "killpg", "waitpid", "nice", "getuid", "sched_getaffinity"),
    "signal": ("SIGALRM", "SIGKILL", "SIGCHLD", "SIGHUP", "SIGUSR1", "setitimer", "sigtimedwait"),
}
"""What Windows has not."""


def test_what_only_some_systems_have_is_named_in_one_package() -> None:
    strays = [
        f"{path}:{number}: {line.strip()}"
        for path in source.python_files(*PACKAGES)
        if not str(path).startswith(PLACE) and str(path) != ALONE
        for number, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), start=1)
        if OF_ONE_SYSTEM.search(line)
    ]
    assert strays == [], f"Say it in {PLACE} and call that."


def test_the_package_of_the_operating_system_needs_nothing_of_ours() -> None:
    imports = re.compile(
        r"^ *(from|import) (modules|pipelines|designer_app)\b(?!\.operating_system)"
    )
    strays = [
        f"{path}: {line}"
        for path in source.python_files("modules")
        if str(path).startswith(PLACE)
        for line in (ROOT / path).read_text("utf-8").splitlines()
        if imports.match(line)
    ]
    assert strays == []


@pytest.mark.extended
def test_every_file_can_be_imported_where_the_system_has_no_forks_and_no_locks_of_posix() -> None:
    names = [
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in source.python_files(*PACKAGES)
        if not {"versions", "env.py", "main.py", "ray_driver.py"} & set(path.parts)  # run alone
    ]
    program = HIDING.format(names=names, packages=PACKAGES, lacking=LACKING)
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
