"""Checkpoints: whole, or not there."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from modules.context import Context
from modules.training.checkpoint import Checkpoints


def _warned(folder: Path, identity: str = "a") -> tuple[Checkpoints, list[dict[str, Any]]]:
    events: list[dict[str, Any]] = []
    return Checkpoints(folder, identity, Context(folder, emit=events.append)), events


def test_the_newest_comes_back_and_only_two_are_kept(tmp_path: Path) -> None:
    checkpoints, _ = _warned(tmp_path)
    for epoch in (1, 2, 3):
        checkpoints.save(epoch, {"model": {"w": torch.full((3,), float(epoch))}})
    checkpoints.wait()
    state = checkpoints.load()
    assert state is not None
    assert state["epoch"] == 3
    assert state["model"]["w"].tolist() == [3.0, 3.0, 3.0]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_damaged_one_is_left_out_with_a_warning(tmp_path: Path) -> None:
    checkpoints, events = _warned(tmp_path)
    for epoch in (1, 2):
        checkpoints.save(epoch, {"model": {"w": torch.zeros(100)}})
    checkpoints.wait()
    newest = max(tmp_path.iterdir())
    content = bytearray(newest.read_bytes())
    content[len(content) // 2] ^= 1
    newest.write_bytes(content)
    state = checkpoints.load()
    assert state is not None
    assert state["epoch"] == 1
    assert [event["kind"] for event in events] == ["warning"]


def test_all_damaged_is_a_fresh_start(tmp_path: Path) -> None:
    checkpoints, events = _warned(tmp_path)
    checkpoints.save(1, {})
    checkpoints.wait()
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:20])
    assert checkpoints.load() is None
    assert events


def test_another_trainings_checkpoint_is_never_used(tmp_path: Path) -> None:
    with _warned(tmp_path, "a")[0] as checkpoints:
        checkpoints.save(1, {})
    assert _warned(tmp_path, "a")[0].load()
    assert _warned(tmp_path, "b")[0].load() is None


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    checkpoints = Checkpoints(None, "a", Context(tmp_path))
    checkpoints.save(1, {})
    assert checkpoints.load() is None
    assert not list(tmp_path.iterdir())


def test_a_failure_of_the_background_is_told_at_the_next_occasion(tmp_path: Path) -> None:
    folder = tmp_path / "checkpoints"
    folder.write_text("a file where the folder should be")
    for occasion in ("save", "wait"):
        checkpoints, _ = _warned(folder)
        checkpoints.save(1, {})
        with pytest.raises(FileExistsError):
            checkpoints.wait() if occasion == "wait" else checkpoints.save(2, {})
        checkpoints.wait()
    with pytest.raises(FileExistsError), _warned(folder)[0] as checkpoints:
        checkpoints.save(1, {})
    checkpoints, _ = _warned(folder)
    checkpoints.save(1, {})
    checkpoints.__exit__(KeyError, KeyError(), None)  # what went wrong first is what is told


KILLED = """
import os, signal, sys, threading
from pathlib import Path
import torch
from modules.context import Context
from modules.training.checkpoint import Checkpoints

class Killer(threading.Thread):
    def run(self):
        while not list(folder.glob("unfinished-*")):
            pass
        os.kill(os.getpid(), signal.SIGKILL)

folder = Path(sys.argv[1])
checkpoints = Checkpoints(folder, "a", Context(folder))
checkpoints.save(1, {"model": torch.ones(3)})
checkpoints.wait()
Killer().start()
checkpoints.save(2, {"model": torch.zeros(50_000_000)})
checkpoints.wait()
"""


def test_a_process_killed_while_it_saves_leaves_the_checkpoint_before(tmp_path: Path) -> None:
    process = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], timeout=300)
    assert process.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 2, "a whole one and what was begun"
    checkpoints, events = _warned(tmp_path)
    state = checkpoints.load()
    assert state is not None
    assert state["epoch"] == 1
    assert events == []
    assert [path.suffix for path in tmp_path.iterdir()] == [".pt"]


def test_another_trainings_checkpoints_go_once_there_is_one_of_this(tmp_path: Path) -> None:
    with _warned(tmp_path, "the images before")[0] as checkpoints:
        for epoch in (1, 7, 8):
            checkpoints.save(epoch, {})
    for epoch in (1, 2, 3):
        checkpoints, _ = _warned(tmp_path, "the images now")
        assert (checkpoints.load() or {"epoch": 0})["epoch"] == epoch - 1
        with checkpoints:
            checkpoints.save(epoch, {})
    assert _warned(tmp_path, "the images before")[0].load() is None
    assert [path.name[:12] for path in sorted(tmp_path.iterdir())] == [
        *("epoch-000002", "epoch-000003"),
    ]
