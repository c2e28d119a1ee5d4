"""Files are given names and written at a place, also where the system has other ways to it."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from modules.operating_system import files


def no_links(*_: object) -> None:
    raise PermissionError(1, "Operation not permitted")


def as_it_is(_: pytest.MonkeyPatch) -> None:
    """This disk has second names, this system writes at a place."""


def without(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(os, "link", no_links)
    patch.delattr(os, "pwrite")


@pytest.mark.parametrize("change", [as_it_is, without])
def test_a_name_is_given_once(
    change: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    change(monkeypatch)
    first, second, target = (tmp_path / name for name in ("first", "second", "target"))
    first.write_text("first")
    second.write_text("second")
    assert files.name_first(first, target)
    assert not files.name_first(second, target)
    assert target.read_text() == "first"
    assert (first.exists(), second.exists()) == (False, True)


@pytest.mark.parametrize("change", [as_it_is, without])
def test_threads_write_at_their_places(
    change: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    change(monkeypatch)
    path = tmp_path / "file"
    blocks = [bytes([each]) * 1000 for each in range(100)]
    with path.open("wb", buffering=0) as file, ThreadPoolExecutor(4) as pool:
        written = pool.map(
            lambda place: files.write_at(file, memoryview(blocks[place]), place * 1000), range(100)
        )
        assert list(written) == [1000] * 100
    assert path.read_bytes() == b"".join(blocks)
