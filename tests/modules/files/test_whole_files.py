"""Files that nobody sees half of, and JSON in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.files.json_files import read_if_valid, remember, write_durably, write_whole
from modules.files.whole_files import replacing


def test_what_is_written_is_there_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    for write, content in ((write_whole, {"a": 1}), (write_durably, {"a": 2})):
        write(path, content)
        assert read_if_valid(path) == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    path.write_text("before")
    with pytest.raises(FileNotFoundError), replacing(path) as fresh:
        fresh.with_name("no folder").joinpath("half").write_text("half")
    with pytest.raises(TypeError):
        write_whole(path, {"no": object()})
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_two_at_once_each_write_whole(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    with replacing(path) as first, replacing(path) as second:
        first.write_text("first")
        second.write_text("second")
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_what_can_be_found_out_again_need_not_be_kept(tmp_path: Path) -> None:
    remember(tmp_path / "new" / "facts.json", {"a": 1})
    assert read_if_valid(tmp_path / "new" / "facts.json") == {"a": 1}
    (tmp_path / "file").touch()
    remember(tmp_path / "file" / "facts.json", {"a": 1})


@pytest.mark.parametrize("text", ["", "[1]", '{"a": 1', "\udcff"])
def test_what_is_no_object_is_none(text: str, tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert read_if_valid(path) is None
    assert read_if_valid(tmp_path / "absent.json") is None
