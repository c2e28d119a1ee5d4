"""What belongs to a source folder: the same as git says, within limits, and by content only."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from modules.errors import InvalidScriptError
from modules.scripts import source_snapshot
from modules.scripts.likely_secrets import likely_secrets
from modules.scripts.source_snapshot import SourceSnapshot

Make = Callable[[Mapping[str, str]], Path]
TREE = {
    ".gitignore": "*.log\n!keep.log\n/data/\nbuild/\n# a comment\n\n!\n",
    "train.py": "print(1)\n",
    "a.log": "x",
    "keep.log": "x",
    "data/one.csv": "1",
    "package/data/two.csv": "2",
    "package/.gitignore": "two.csv\n!b.log\n",
    "package/b.log": "x",
    "package/build/c.txt": "x",
    "package/code.py": "x = 1\n",
    "outputs/model.pt": "old",
    "package/outputs/kept.py": "y = 2\n",
    "__pycache__/train.pyc": "x",
}


def paths(folder: Path) -> list[str]:
    return [file.path for file in SourceSnapshot.of(folder).files]


def test_what_git_would_track_belongs_to_it_but_for_what_is_always_left_out(source: Make) -> None:
    folder = source(TREE)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    listing = ["git", "-C", str(folder), "ls-files", "--others", "--exclude-standard"]
    listed = subprocess.run(listing, capture_output=True, text=True, check=True)
    always = {"outputs/model.pt", "__pycache__/train.pyc"}
    assert paths(folder) == sorted(set(listed.stdout.split()) - always)
    assert "package/b.log" in paths(folder)
    assert "package/outputs/kept.py" in paths(folder)


def test_amlignore_counts_alone_where_there_is_one(source: Make) -> None:
    folder = source({**TREE, ".amlignore": "package/\n"})
    assert paths(folder) == [
        *(".amlignore", ".gitignore", "a.log", "data/one.csv", "keep.log", "train.py"),
    ]


def test_the_hash_is_of_contents_paths_and_permissions(source: Make, tmp_path: Path) -> None:
    folder = source({"train.py": "print(1)\n", "other.py": "x = 1\n"})
    first = SourceSnapshot.of(folder).sha256()
    os.utime(folder / "train.py", (1, 1))
    (folder / "outputs").mkdir()
    (folder / "outputs/model.pt").write_text("x")
    assert SourceSnapshot.of(folder).sha256() == first
    shutil.copytree(folder, tmp_path / "elsewhere")
    assert SourceSnapshot.of(tmp_path / "elsewhere").sha256() == first
    (folder / "train.py").chmod(0o755)
    second = SourceSnapshot.of(folder).sha256()
    (folder / "train.py").write_text("print(2)\n")
    assert len({first, second, SourceSnapshot.of(folder).sha256()}) == 3


def test_links_inside_stay_links_and_links_that_lead_out_are_refused(
    source: Make, tmp_path: Path
) -> None:
    folder = source({"package/code.py": "x = 1\n"})
    (folder / "code.py").symlink_to(folder / "package/code.py")
    copy = tmp_path / "copy"
    SourceSnapshot.of(folder).copy_to(copy)
    assert os.readlink(copy / "code.py") == "package/code.py"
    (folder / "secret").symlink_to("/etc/hostname")
    with pytest.raises(InvalidScriptError, match="The symbolic link secret leads out") as caught:
        SourceSnapshot.of(folder)
    assert caught.value.parameter == "source_folder"


def test_more_than_the_limits_is_refused_and_the_ten_largest_are_named(
    source: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = source({f"{number:02}.py": "x" * number for number in range(12)})
    monkeypatch.setattr(source_snapshot, "MAX_FILES", 11)
    with pytest.raises(InvalidScriptError) as caught:
        SourceSnapshot.of(folder)
    assert "12 files (66 B)" in caught.value.message
    assert "Largest files: 11.py (11 B), 10.py" in caught.value.message
    assert "01.py" not in caught.value.message
    assert ".amlignore" in caught.value.cure
    monkeypatch.setattr(source_snapshot, "MAX_FILES", 100)
    monkeypatch.setattr(source_snapshot, "MAX_BYTES", 65)
    with pytest.raises(InvalidScriptError, match="limit is 100 files or 65 B"):
        SourceSnapshot.of(folder)


def test_a_folder_without_end_is_not_walked_to_its_end(
    source: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_snapshot, "MAX_ENTRIES", 3)
    with pytest.raises(InvalidScriptError, match="more than 3 files and folders"):
        SourceSnapshot.of(source({f"{number}.py": "" for number in range(4)}))


def test_secrets_are_found_by_name_and_by_shape_and_never_told(source: Make) -> None:
    token = "hf_" + "a1" * 17
    folder = source(
        {
            ".env": "A=1\n",
            "train.py": f"import os\nTOKEN = '{token}'\n",
            "keys/id_rsa": "-----BEGIN OPENSSH PRIVATE KEY-----\n",
            "config.yaml": "password: ${PASSWORD}\ntoken = ''\n",
        }
    )
    found = [str(each) for each in likely_secrets(SourceSnapshot.of(folder))]
    assert found == [
        ".env (its name)",
        "keys/id_rsa (its name)",
        "train.py:2 (a token of Hugging Face)",
    ]
