"""Checkpoints: whole, or not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
    state = checkpoints.load()
    assert state is not None
    assert state["epoch"] == 3
    assert state["model"]["w"].tolist() == [3.0, 3.0, 3.0]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_damaged_one_is_left_out_with_a_warning(tmp_path: Path) -> None:
    checkpoints, events = _warned(tmp_path)
    for epoch in (1, 2):
        checkpoints.save(epoch, {"model": {"w": torch.zeros(100)}})
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
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:20])
    assert checkpoints.load() is None
    assert events


def test_another_trainings_checkpoint_is_never_used(tmp_path: Path) -> None:
    _warned(tmp_path, "a")[0].save(1, {})
    assert _warned(tmp_path, "b")[0].load() is None


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    checkpoints = Checkpoints(None, "a", Context(tmp_path))
    checkpoints.save(1, {})
    assert checkpoints.load() is None
    assert not list(tmp_path.iterdir())
