"""What the designer keeps in its workspace is no data, and nobody opens its database by hand."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from designer_app.application import INSPECTOR_LOG, TOKEN_FILE
from modules.context import Context
from modules.datasets.sources import parse_source
from modules.errors import InvalidDatasetError
from modules.files.database_files import DatabaseFileError, is_held
from modules.files.hashing import hash_folder, snapshot
from modules.files.scanning import scan
from modules.files.workspace_folder import DATABASE, OPENING, is_own, is_workspace
from pipelines.store.database.connections import Database
from pipelines.workspace import Workspace
from tests.modules.image_directories.pictures import png_bytes


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace in a folder of pictures, its database open here."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.png").write_bytes(png_bytes())
    made = Workspace.at(tmp_path / "workspace")
    database = Database.open(made)
    yield made
    database.close()


def test_every_place_of_a_workspace_is_the_designers_own(workspace: Workspace) -> None:
    places = [
        value
        for name in dir(Workspace)
        if isinstance(value := getattr(workspace, name), Path) and name != "root"
    ]
    names = {each.name for each in places if each.parent == workspace.root}
    there = {each.name for each in workspace.root.iterdir()}
    assert len(names) > 10
    assert {
        each for each in names | there | {TOKEN_FILE, INSPECTOR_LOG, OPENING} if not is_own(each)
    } == (set())


def test_a_folder_is_the_same_with_and_without_a_workspace_in_it(workspace: Workspace) -> None:
    folder = workspace.root.parent
    tree, sha256, seen = scan(folder), hash_folder(folder), snapshot(folder)
    assert tree.left_out == ["workspace"]
    assert tree.folders == ["a", "b"]
    assert "workspace" in str(tree.notice)
    (workspace.runs_dir / "new").write_text("x")
    assert (snapshot(folder), hash_folder(folder)) == (seen, sha256)
    shutil.move(workspace.root, folder.parent / "elsewhere")
    assert scan(folder).notice is None
    assert (snapshot(folder), hash_folder(folder)) == (seen, sha256)


def test_pictures_in_a_workspace_are_its_users(workspace: Workspace) -> None:
    shutil.copytree(workspace.root.parent / "a", workspace.root / "mine" / "a")
    tree = scan(workspace.root)
    assert ([each.path for each in tree.files], tree.left_out) == (["mine/a/1.png"], ["."])
    assert "workspace" in str(tree.notice)
    for place in (workspace.root, workspace.root / "mine"):
        parse_source(f"file:{place}").check(Context(workspace.artifacts_dir))


@pytest.mark.parametrize("place", ["runs", "cache", "artifacts/x", "token", DATABASE])
def test_what_is_the_designers_own_is_no_source(workspace: Workspace, place: str) -> None:
    (workspace.artifacts_dir / "x").mkdir()
    (workspace.root / "token").write_text("x")
    with pytest.raises(InvalidDatasetError, match="belongs to the designer's workspace") as refused:
        parse_source(f"file:{workspace.root / place}").check(Context(workspace.artifacts_dir))
    assert refused.value.cure


def test_a_workspace_without_a_database_file_is_known_by_its_folders() -> None:
    assert is_workspace({"artifacts", "runs", "datasets", "weights", "cache", "photos"})
    assert not is_workspace({"runs", "cache", "datasets"})


def test_python_refuses_to_open_a_database_that_sqlite_has_open(workspace: Workspace) -> None:
    place = workspace.root / DATABASE
    hard, soft = workspace.root.parent / "hard", workspace.root.parent / "soft"
    os.link(place, hard)
    soft.symlink_to(place)
    wal = place.with_name(f"{DATABASE}-wal")
    for path in (place, wal, hard, soft, workspace.runs_dir / ".." / DATABASE):
        with pytest.raises(DatabaseFileError, match="designer's own"):
            path.read_bytes()
        with pytest.raises(DatabaseFileError):
            os.open(path, os.O_RDONLY)
        with pytest.raises(DatabaseFileError):
            shutil.copyfile(path, workspace.root.parent / "copy")
    assert [path for path, _ in scan(workspace.root.parent).passed_over] == ["hard", "soft"]


def test_a_database_that_was_closed_is_a_file_like_any_other(workspace: Workspace) -> None:
    other = Workspace.at(workspace.root.parent / "other")
    first, second = Database.open(other), Database.open(other)
    first.close()
    assert is_held(other.root / DATABASE)
    second.close()
    assert (other.root / DATABASE).read_bytes().startswith(b"SQLite format 3")
