"""Choices of runtimes in the cache: whole or ignored, within a limit, failures tried again."""

from __future__ import annotations

import errno
import json
import os
import time
from pathlib import Path

import pytest

from modules.scoring import kept_runtimes
from modules.scoring.kept_runtimes import KeptRuntime, RuntimeCache, unneeded_files

ONNX = KeptRuntime("ONNX Runtime", b"an exported model")


@pytest.fixture
def cache(tmp_path: Path) -> RuntimeCache:
    return RuntimeCache(tmp_path, "key")


def files(cache: RuntimeCache) -> dict[str, Path]:
    return {path.suffix: path for path in cache.folder.iterdir()}


def test_a_choice_is_found_as_it_was_kept(cache: RuntimeCache) -> None:
    assert cache.find() is None
    cache.keep(ONNX)
    assert cache.find() == ONNX
    cache.keep(KeptRuntime("torch", reason="It is not exported."))
    assert cache.find() == KeptRuntime("torch", reason="It is not exported.")
    assert RuntimeCache(cache.cache_dir, "other").find() is None


@pytest.mark.parametrize("damage", ["cut", "changed", "gone", "half a choice", "odd", "unknown"])
def test_a_damaged_choice_is_ignored(cache: RuntimeCache, damage: str) -> None:
    cache.keep(ONNX)
    model, choice = files(cache)[".onnx"], files(cache)[".json"]
    text = choice.read_text(encoding="utf-8")
    match damage:
        case "cut":
            model.write_bytes(model.read_bytes()[:-1])
        case "changed":
            model.write_bytes(b"An exported model")
        case "gone":
            model.unlink()
        case "half a choice":
            choice.write_text(text[: len(text) // 2], encoding="utf-8")
        case "odd":
            choice.write_text('{"runtime": ["torch"], "time": "x"}', encoding="utf-8")
        case _:
            unknown = {**json.loads(text), "runtime": "../../other"}
            choice.write_text(json.dumps(unknown), encoding="utf-8")
    assert cache.find() is None
    cache.keep(ONNX)
    assert cache.find() == ONNX


def test_a_failure_that_may_pass_is_tried_again_after_a_day(
    cache: RuntimeCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.keep(KeptRuntime("torch", reason="killed", is_final=False))
    assert cache.find() is not None
    monkeypatch.setattr(kept_runtimes, "RETRY_SECONDS", 0.0)
    assert cache.find() is None
    cache.keep(KeptRuntime("torch", reason="not exported"))
    assert cache.find() is not None


def test_the_least_recently_used_models_give_way(
    cache: RuntimeCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    for number in range(3):
        other = RuntimeCache(cache.cache_dir, f"key{number}")
        other.keep(KeptRuntime("OpenVINO", b"x" * 1000))
        for path in other.folder.glob(f"key{number}.*"):
            os.utime(path, (now - 100 + number, now - 100 + number))
    assert RuntimeCache(cache.cache_dir, "key0").find() is not None  # it counts as used now
    monkeypatch.setattr(kept_runtimes, "LIMIT_BYTES", 4000)
    assert unneeded_files(cache.cache_dir) == []
    assert cache.has_room(1000)
    left = {path.stem for path in cache.folder.glob("*.onnx")}
    assert left == {"key0", "key2"}
    assert not cache.has_room(4001)
    monkeypatch.setattr(kept_runtimes, "LIMIT_BYTES", 1500)
    assert {path.stem for path in unneeded_files(cache.cache_dir)} >= {"key2"}


def test_long_unused_ones_are_not_needed(cache: RuntimeCache) -> None:
    cache.keep(ONNX)
    assert unneeded_files(cache.cache_dir) == []
    for path in cache.folder.iterdir():
        os.utime(path, (1e9, 1e9))
    assert sorted(unneeded_files(cache.cache_dir)) == sorted(cache.folder.iterdir())


def test_a_deleted_workspace_is_not_made_again(tmp_path: Path) -> None:
    cache = RuntimeCache(tmp_path / "gone" / "cache", "key")
    for act in (lambda: cache.keep(ONNX), lambda: cache.has_room(1)):
        with pytest.raises(OSError, match=str(os.strerror(errno.ENOENT))):
            act()
    assert not (tmp_path / "gone").exists()
