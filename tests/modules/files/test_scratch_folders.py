"""Scratch folders: gone afterwards, removed after a kill, kept while a living process writes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from modules.files.disk import remove_abandoned, scratch_folder

HOLDING = """
import sys, time
from pathlib import Path
from modules.files.disk import scratch_folder

with scratch_folder(Path(sys.argv[1]), ".upload-") as folder:
    (folder / "half").write_bytes(b"x" * 1000)
    print(folder, flush=True)
    time.sleep(600)
"""


def test_nothing_is_left_of_one_that_ended(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        assert folder.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_one_that_is_put_in_place_leaves_nothing(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        folder.rename(tmp_path / "whole")
    assert [each.name for each in tmp_path.iterdir()] == ["whole"]


def test_a_killed_process_leaves_what_the_next_one_removes(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDING, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        assert remove_abandoned(tmp_path, ".upload-") == []
        assert (folder / "half").is_file()
        process.kill()
    assert remove_abandoned(tmp_path, ".upload-") == [folder]
    assert list(tmp_path.iterdir()) == []


def test_one_without_a_lock_goes_once_it_is_a_day_old(tmp_path: Path) -> None:
    young, old, other = (tmp_path / name for name in (".upload-a", ".upload-b", ".other-c"))
    for folder in (young, old, other):
        folder.mkdir()
        (folder / "half").touch()
    for path in (old / "half", old, other / "half", other):
        os.utime(path, (1, 1))
    assert remove_abandoned(tmp_path, ".upload-") == [old]
    assert young.is_dir()
    assert other.is_dir()
