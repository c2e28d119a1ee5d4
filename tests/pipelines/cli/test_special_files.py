"""Pipes without a writer, devices and folders in place of a file: refused at once."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices have no path"),
    pytest.mark.timeout(60),
]

COMMANDS = [
    ("code", "check", ".py"),
    ("code", "show", ".py"),
    ("run", ".json"),
    ("run", ".py"),
    ("validate", ".json"),
    ("import", ".py"),
    ("dataset", "import", ".zip"),
    ("dataset", "check", ".zip"),
    ("replay", "open", ".replay"),
    ("sweep", "run", ".json"),
    ("models", "import", "digits", ".onnx"),
    ("environments", "resolve", "--requirements", ".txt"),
]


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_it_is_refused_with_the_reason(
    runs: RunService, tmp_path: Path, command: tuple[str, ...], kind: str
) -> None:
    *words, ending = command
    path = tmp_path / f"special{ending}"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    if kind == "folder" and words[0] == "dataset":
        pytest.skip("a dataset may be a folder")
    result = designer(runs, *words, path)
    assert result.exit_code == 1, result.output
    reason = "Is a directory" if kind == "folder" else "it is a pipe or a device, not a file"
    assert reason in " ".join(result.output.split())
