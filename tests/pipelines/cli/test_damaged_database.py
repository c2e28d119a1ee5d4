"""A damaged database: one sentence from every command, and the way back by a backup."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from modules.artifacts import Artifact
from modules.files.hashing import stat_fingerprint
from pipelines.cli import app
from pipelines.errors import DatabaseDamagedError
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.manifest import seal
from pipelines.store.database.backup_files import BackupFile, backups_in
from pipelines.store.database.backups import back_up
from pipelines.store.database.connections import Database
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace

pytestmark = pytest.mark.extended

KEY = "k" * 64
PAGE_BYTES = 4096


def _write_at(path: Path, offset: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(content)


def _random(count: int) -> bytes:
    return random.Random(7).randbytes(count)


def _replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _break_texts(path: Path) -> None:
    content = path.read_bytes()
    for text in (b"birds", b"queued", b"cancelled"):
        content = content.replace(text, b"\xff\xfe" + text[2:])
    path.write_bytes(content)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "truncated to nothing": lambda path: os.truncate(path, 0),
    "truncated to half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "random first page": lambda path: _write_at(path, 0, _random(PAGE_BYTES)),
    "random middle": lambda path: _write_at(path, PAGE_BYTES, _random(40 * PAGE_BYTES)),
    "invalid UTF-8": _break_texts,
    "another file": lambda path: path.write_bytes(b"<html>no database</html>" * 500),
    "a folder": _replace_by_folder,
    "lost": Path.unlink,
}
COMMANDS = {
    "artifacts show": "",
    "artifacts verify": "",
    "environments list": "",
    "gc": "",
    "models list": "",
    "runner status": "",
    "runs compare": "{run} {run}",
    "runs list": "",
    "runs logs": "{run}",
    "runs metrics": "{run}",
    "runs note": "{run} words",
    "runs show": "{run}",
    "target list": "",
    "models show": "m@1",
    "runs tag": "{run} a",
}
READING_RUNS = {"gc", "runs list", "runs show", "runs note", "runs tag"}
"""Where only texts of runs are damaged, others may need none of them."""


@pytest.fixture
def kept(tmp_path: Path) -> Workspace:
    """A workspace with a run, an output and a backup."""
    workspace = Workspace.at(tmp_path / "workspace").make()
    with closing(Database.open(workspace)) as database:
        add_run(workspace, database, "birds")
        add_output(workspace, database, "a")
        backup(workspace, database)
    return workspace


def add_run(workspace: Workspace, database: Database, name: str) -> str:
    """A run that was cancelled before it began, and its folder."""
    runs = RunStore(database)
    run_id = runs.create({"name": name}, ["a"], name=name, experiment=name)
    (workspace.runs_dir / run_id).mkdir()
    runs.request_cancel(run_id)
    return run_id


def add_output(workspace: Workspace, database: Database, text: str) -> str:
    """A whole output that no run refers to."""
    store = ArtifactStore(workspace, database)
    staging = store.staging_dir("20260101-000000-abcd", "node", 1)
    folder = staging / "output"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text(text, encoding="utf-8")
    made_by = {"key": KEY, "run_id": "20260101-000000-abcd", "node": "node"}
    seal(folder, Artifact(folder), made_by)
    return store.commit(staging, KEY, made_by["run_id"], "node", stat_fingerprint(staging))


def backup(workspace: Workspace, database: Database) -> BackupFile:
    assert database.path is not None
    made = back_up(database.reading, database.path, workspace.backups_dir)
    assert made is not None
    return made


def designer(workspace: Workspace, *arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--workspace", str(workspace.root)])


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_every_command_says_what_is_intact_and_how_to_restore(kept: Workspace, damage: str) -> None:
    [run_id] = [folder.name for folder in kept.run_folders()]
    DAMAGES[damage](kept.root / "designer.db")
    for name, arguments in COMMANDS.items():
        done = designer(kept, *name.split(), *arguments.format(run=run_id).split())
        if damage == "invalid UTF-8" and name not in READING_RUNS:
            assert isinstance(done.exception, SystemExit | None), name
            continue
        said = done.output
        assert done.exit_code == 1, (name, said)
        assert isinstance(done.exception, SystemExit), (name, done.exception)
        assert "designer.db: " in said, (name, said)
        assert "The folders of 1 run and 1 output are intact." in said, (name, said)
        assert "`designer workspace restore newest`" in said, (name, said)
        assert len(said.strip().splitlines()) == 1, (name, said)


def test_a_missing_log_is_no_damage(kept: Workspace) -> None:
    for suffix in ("-wal", "-shm"):
        kept.root.joinpath(f"designer.db{suffix}").unlink(missing_ok=True)
    assert designer(kept, "runs", "list").exit_code == 0


def test_programs_get_the_code_and_the_facts(kept: Workspace) -> None:
    os.truncate(kept.root / "designer.db", 0)
    done = designer(kept, "runs", "list", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"]["code"] == "database_damaged"


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_restoring_moves_the_damaged_file_aside_and_says_what_is_lost(
    kept: Workspace, damage: str
) -> None:
    path = kept.root / "designer.db"
    with closing(Database.open(kept)) as database:
        later = add_run(kept, database, "later")
        output = add_output(kept, database, "later")
    DAMAGES[damage](path)
    before = path.read_bytes() if path.is_file() else None
    done = designer(kept, "workspace", "restore", "newest", "--yes", "--json")
    assert done.exit_code == 0, done.output
    content = json.loads(done.stdout)
    assert content["lost_runs"] == [later]
    assert content["entered_outputs"] == [output]
    aside = list(kept.root.glob("designer-damaged-*.db"))
    assert len(aside) == (0 if damage == "lost" else 1)
    assert [item.read_bytes() for item in aside if item.is_file()] == (
        [] if before is None else [before]
    )
    with closing(Database.open(kept)) as database:
        [run] = RunStore(database).newest()
        assert run.name == "birds"
        entry = ArtifactStore(kept, database).find(KEY)
        assert entry is not None
        assert entry.id == output
    assert (kept.runs_dir / later).is_dir()


def test_backups_are_listed_and_a_damaged_one_is_passed_over(kept: Workspace) -> None:
    with closing(Database.open(kept)) as database:
        newer = backup(kept, database)
    _write_at(newer.path, PAGE_BYTES, _random(40 * PAGE_BYTES))
    content = json.loads(designer(kept, "workspace", "restore", "--json").stdout)
    assert [item["damage"] is None for item in content["backups"]] == [False, True]
    assert content["database"] is None
    assert designer(kept, "workspace", "restore", newer.name, "--yes").exit_code == 1
    done = designer(kept, "workspace", "restore", "newest", "--yes", "--json")
    assert json.loads(done.stdout)["restored"] == content["backups"][1]["name"]


def test_a_program_has_to_say_yes(kept: Workspace) -> None:
    before = (kept.root / "designer.db").read_bytes()
    assert designer(kept, "workspace", "restore", "newest", "--json").exit_code == 1
    assert (kept.root / "designer.db").read_bytes() == before


def test_an_open_database_is_not_replaced(kept: Workspace) -> None:
    with closing(Database.open(kept)):
        done = designer(kept, "workspace", "restore", "newest", "--yes")
    assert done.exit_code == 1
    assert "is using the database" in done.output


def test_gc_refuses_where_the_database_knows_no_folder(kept: Workspace) -> None:
    folders = [*kept.run_folders(), *kept.artifact_folders()]
    done = designer(kept, "workspace", "restore", "--empty", "--yes")
    assert done.exit_code == 0, done.output
    with closing(Database.open(kept)) as database:
        ArtifactStore(kept, database).index.remove([kept.artifact_folders()[0].name])
    for arguments in (["gc"], ["gc", "--yes"], ["gc", "--json"]):
        refused = designer(kept, *arguments)
        assert refused.exit_code == 1
        assert "`designer workspace restore`" in refused.output
    assert all(folder.is_dir() for folder in folders)


def test_gc_keeps_young_folders_that_the_database_does_not_know(kept: Workspace) -> None:
    young, old = (kept.artifacts_dir / name for name in ("young", "old"))
    run = kept.runs_dir / "20260101-000000-abcd"  # the output above is of this run
    for folder in (young, old, run):
        folder.mkdir()
    os.utime(old, (0, 0))
    output = next(item for item in kept.artifact_folders() if item not in (young, old))
    done = designer(kept, "gc", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["kept_unknown"] == [young.name, run.name]
    assert [item.is_dir() for item in (young, old, run, output)] == [True, False, True, True]
    assert "young" in designer(kept, "gc").output
    designer(kept, "gc", "--yes")
    assert [item.is_dir() for item in (young, run, output)] == [False, False, False]


def test_a_copy_of_a_workspace_is_used_as_it_is(kept: Workspace, tmp_path: Path) -> None:
    shutil.copytree(kept.root, tmp_path / "copy")
    with closing(Database.open(Workspace.at(tmp_path / "copy"))) as database:
        assert database.damage() is None


def test_a_database_of_another_program_is_not_migrated(kept: Workspace) -> None:
    import sqlite3

    path = kept.root / "designer.db"
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE things (id)")
    with pytest.raises(DatabaseDamagedError, match="do not belong to the designer"):
        Database.open(kept)
    assert backups_in(kept.backups_dir)
