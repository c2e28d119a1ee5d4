"""The program's own options, and the app started as a module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import app as designer
from pipelines.store.artifacts.cache_keys import library_version

AS_MODULE = (sys.executable, "-m", "designer_app")
AS_COMMAND = (sys.executable, "-m", "designer_app.command", "app")


def run(*command: str, folder: Path) -> tuple[int, str]:
    """Return the exit code of a command and its output without the usage line."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    lines = (done.stdout + done.stderr).splitlines()
    return done.returncode, "\n".join(line for line in lines if "designer_app" not in line)


@pytest.mark.parametrize("arguments", [["--help"], ["--port", "0"], ["--unknown"]])
def test_the_module_has_the_options_of_the_command(arguments: list[str], tmp_path: Path) -> None:
    as_module = run(*AS_MODULE, *arguments, folder=tmp_path)
    assert as_module == run(*AS_COMMAND, *arguments, folder=tmp_path)
    assert as_module[0] == (0 if arguments == ["--help"] else 2)


def test_the_version_is_that_of_the_installed_package() -> None:
    result = CliRunner().invoke(designer, ["--version"])
    assert result.exit_code == 0
    assert result.output == f"{library_version('pipeline-designer')}\n"
