"""The verbs of the Makefile, and what the set-up says when it cannot go on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.distribution.installation import OF_AN_OUTER_MAKE
from tests.project.lock import locked_requirements
from tests.project.source import ROOT

pytestmark = pytest.mark.extended


def make(*arguments: str) -> str:
    """What make prints, in this checkout, also where make itself runs the tests."""
    alone = {name: value for name, value in os.environ.items() if name not in OF_AN_OUTER_MAKE}
    result = subprocess.run(
        ["make", *arguments], cwd=ROOT, env=alone, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_make_alone_lists_every_verb() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    declared = re.search(r"^\.PHONY: (.*)$", makefile, flags=re.MULTILINE)
    assert declared is not None
    listed = [line.split()[1] for line in make().splitlines()]
    assert listed == declared[1].split()
    assert make() == make("help")


def test_every_verb_has_a_recipe_and_printing_it_runs_nothing() -> None:
    locks = [*ROOT.glob("*.lock"), *(ROOT / "pipelines" / "environments" / "curated").iterdir()]
    before = {path: path.read_bytes() for path in locks}
    for line in make().splitlines():
        assert make("--dry-run", line.split()[1]).strip()
    assert {path: path.read_bytes() for path in locks} == before


@pytest.mark.parametrize(
    ("asked", "is_needed"),
    [("", True), ("A8 --rounds 3", True), ("A1 A8", True), ("A1 --rounds 8", False)],
)
def test_the_servers_of_a8_are_installed_only_for_it(asked: str, is_needed: bool) -> None:
    lock = "benchmarks/serving.txt"
    planned = make("--dry-run", f"--what-if={lock}", "bench", f"ARGS={asked}")
    assert (f".ci/setup-venv .venv-serving {lock}" in planned) == is_needed


def test_set_up_names_the_python_it_needs(tmp_path: Path) -> None:
    old_python = tmp_path / "python-old"
    old_python.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.1 && exit 0\nexit 1\n'
    )
    old_python.chmod(0o755)
    result = _set_up(tmp_path, PYTHON=str(old_python))
    assert result.returncode == 1
    assert "needs Python 3.11, 3.12 or 3.13; found Python 3.9.1." in result.stderr
    assert "make PYTHON=" in result.stderr


def test_an_interrupted_set_up_does_not_look_complete(tmp_path: Path) -> None:
    (tmp_path / "requirements.lock").write_text("a-package-without-a-hash==1.0\n")
    result = _set_up(tmp_path, PYTHON=sys.executable, PIP_NO_INDEX="1", UV_OFFLINE="1")
    assert result.returncode != 0
    assert (tmp_path / ".venv" / ".incomplete").exists()
    assert not (tmp_path / ".venv" / ".installed").exists()


def test_a_uv_that_is_not_the_pinned_one_is_not_run(tmp_path: Path) -> None:
    [(uv, _)] = locked_requirements(ROOT / ".ci" / "uv.txt")
    [pin] = uv.specifier
    ran = tmp_path / "ran"
    write_wheel(tmp_path, pin.version, f"#!/bin/sh\ntouch {ran}\n")
    result = _set_up(
        tmp_path,
        PYTHON=sys.executable,
        PATH="/usr/bin:/bin",
        PIP_NO_INDEX="1",
        PIP_FIND_LINKS=str(tmp_path),
    )
    assert result.returncode == 0, result.stderr  # pip does it
    assert not ran.exists()
    assert not (tmp_path / ".venv" / "bin" / "uv").exists()


def write_wheel(folder: Path, version: str, script: str) -> None:
    """A package of the name and version of uv that is not uv."""
    with zipfile.ZipFile(folder / f"uv-{version}-py3-none-any.whl", "w") as wheel:
        info = f"uv-{version}.dist-info"
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: uv\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
        wheel.writestr(f"uv-{version}.data/scripts/uv", script)


def _set_up(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    script = Path(shutil.copy(ROOT / ".ci" / "setup-venv", folder / "setup-venv"))
    shutil.copy(ROOT / ".ci" / "uv.txt", folder)
    (folder / "requirements.lock").touch()
    return subprocess.run(
        [script, ".venv", "requirements.lock"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
