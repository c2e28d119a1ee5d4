"""Files that a user names: pipes, devices and folders are refused at once."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from modules.files.regular_files import open_regular, read_regular, read_regular_text

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices have no path")


@pytest.fixture(params=["pipe", "device", "folder"])
def special(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "special"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    return path


def test_what_has_no_end_or_no_content_is_refused(special: Path) -> None:
    reason = "Is a directory" if special.is_dir() else "it is a pipe or a device, not a file"
    with pytest.raises(OSError, match=reason):
        open_regular(special)


def test_a_file_and_a_link_to_it_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"one\r\ntwo")
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link") == b"one\r\ntwo"
    assert read_regular(tmp_path / "file", 3) == b"one"
    assert read_regular_text(tmp_path / "file", "utf-8") == "one\ntwo"
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "none")
