"""Outputs in an object store: read as if they lay in the folder, moved there and back."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from modules.files.hashing import hash_folder
from pipelines.cli import app
from pipelines.errors import (
    ObjectDamagedError,
    ObjectStoreError,
    RefusedError,
    SettingsUnreadableError,
)
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.moving import move_outputs
from pipelines.store.database.artifacts import ArtifactRecord
from pipelines.store.database.connections import Database
from pipelines.store.objects.artifact_cache import ArtifactCache
from pipelines.store.objects.object_address import ObjectAddress
from pipelines.store.objects.object_files import ObjectFiles
from pipelines.workspace import Workspace
from tests.pipelines.store.artifacts.small_artifacts import enter

pytestmark = pytest.mark.extended


@pytest.fixture
def artifacts(tmp_path: Path, address: str) -> Iterator[ArtifactStore]:
    """Three outputs in the folder of a workspace whose settings name an object store."""
    workspace = Workspace.at(tmp_path / "workspace").make()
    made = ArtifactStore(workspace, Database.open(workspace))
    source = enter(made, "s" * 64, "pictures")
    enter(made, "d" * 64, "rows", frozenset({f"{source}/output"}))
    enter(made, "n" * 64, "none of theirs")
    name_store(workspace, address)
    yield made
    made.index.database.close()


def name_store(workspace: Workspace, address: str | None, more: str = "") -> None:
    named = f'artifacts = "{address}"\n' if address else ""
    (workspace.root / "designer.toml").write_text(named + more, encoding="utf-8")


def here(artifacts: ArtifactStore) -> set[str]:
    return {path.name for path in artifacts.root.iterdir()}


def empty(artifacts: ArtifactStore) -> dict[str, str]:
    """As on another machine: gives what each folder held."""
    held = {path.name: hash_folder(path) for path in artifacts.root.iterdir()}
    for path in artifacts.root.iterdir():
        shutil.rmtree(path)
    return held


def spoil(address: str, record: ArtifactRecord) -> None:
    """Change a byte of what the store has."""
    files = ObjectFiles(ObjectAddress.parse(address))
    name = f"contents/{record.content}/data.tar"
    content = bytearray(files.read(name))
    content[600] ^= 1
    files.write(name, bytes(content))


def ignore_progress(_: str) -> None:
    """Discard the progress."""


def moved(artifacts: ArtifactStore) -> list[ArtifactRecord]:
    """What there is once all was moved to the store."""
    results: list[str] = []
    assert move_outputs(artifacts, results.append) is not None
    records = artifacts.index.all()
    assert results == [record.id for record in records]
    assert all(record.content for record in records)
    return records


def test_outputs_go_there_and_come_back(artifacts: ArtifactStore, address: str) -> None:
    survey = move_outputs(artifacts, ignore_progress, dry_run=True)
    assert survey is not None
    assert (survey.num_outputs, survey.num_there, survey.is_back) == (3, 0, False)
    assert artifacts.index.unstored() == artifacts.index.all()
    moved(artifacts)
    again = move_outputs(artifacts, ignore_progress)
    assert again is not None
    assert (again.num_outputs, again.num_there) == (0, 3)
    held = empty(artifacts)
    name_store(artifacts.workspace, None)
    back = move_outputs(artifacts, ignore_progress)
    assert back is not None
    assert (back.num_outputs, back.is_back, back.place) == (3, True, address)
    assert empty(artifacts) == held
    assert len(artifacts.index.unstored()) == 3
    assert ArtifactStore(artifacts.workspace, artifacts.index.database).remote is None


def test_what_is_read_comes_with_what_it_refers_to(artifacts: ArtifactStore) -> None:
    source, rows, other = moved(artifacts)
    held = empty(artifacts)
    assert artifacts.find(rows.key) is not None  # it need not be here to be found
    assert here(artifacts) == set()
    folder = artifacts.folder(rows.id, "output")
    assert (folder / "a.txt").read_text(encoding="utf-8") == "rows"
    assert here(artifacts) == {source.id, rows.id}
    assert hash_folder(artifacts.root / rows.id) == held[rows.id]
    assert artifacts.find(rows.key) is not None
    assert artifacts.verify(rows.id) == artifacts.verify(other.id) == []


def test_damage_in_the_store_is_told_and_never_used(artifacts: ArtifactStore, address: str) -> None:
    source, rows, _ = moved(artifacts)
    spoil(address, source)
    assert not artifacts.verify(rows.id)
    [damage] = artifacts.verify(source.id)
    assert damage.message == f"its copy in {address} is damaged or incomplete"
    assert artifacts.find(rows.key) is None
    empty(artifacts)
    with pytest.raises(ObjectDamagedError, match="Run its node again"):
        artifacts.folder(rows.id, "output")
    assert not [path for path in artifacts.root.iterdir() if path.name.startswith(".")]


def test_a_damaged_copy_is_fetched_again(artifacts: ArtifactStore) -> None:
    source, *_ = moved(artifacts)
    (artifacts.root / source.id / "output" / "a.txt").write_text("something else")
    assert artifacts.find(source.key) is not None
    assert here(artifacts).isdisjoint({source.id})
    folder = artifacts.folder(source.id, "output")
    assert (folder / "a.txt").read_text(encoding="utf-8") == "pictures"


def test_what_nothing_refers_to_goes_after_its_grace(
    artifacts: ArtifactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = moved(artifacts)
    remote = artifacts.remote
    assert remote is not None
    remote.store._files.write("steps/of-a-killed-runner/runner/00000000", b"[]\n")
    first = artifacts.sweep()
    assert set(first.artifact_ids) == {record.id for record in records}
    assert first.objects == []
    monkeypatch.setattr("pipelines.store.objects.object_store.REMOVAL_AGE_SECONDS", -5.0)
    contents = {record.content for record in records}
    assert set(artifacts.sweep(dry_run=True).kept_unknown) == contents  # their rows are gone
    assert set(artifacts.sweep(dry_run=True, takes_unknown=True).objects) == contents
    assert remote.store.abandoned_steps() == ["steps/of-a-killed-runner"]
    assert set(artifacts.sweep(takes_unknown=True).objects) == contents
    assert list(remote.store.contents()) == []
    assert remote.store.abandoned_steps() == []


CUT_SHORT = """
import os, signal, sys
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.moving import move_outputs
from pipelines.store.database.connections import Database
from pipelines.workspace import Workspace

workspace = Workspace.at(sys.argv[1])
artifacts = ArtifactStore(workspace, Database.open(workspace))
move_outputs(artifacts, lambda _: os.kill(os.getpid(), signal.SIGKILL))
"""


def cut_short(artifacts: ArtifactStore) -> None:
    """A move in a process that is killed after its first output."""
    command = [sys.executable, "-c", CUT_SHORT, str(artifacts.workspace.root)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL


@pytest.mark.parametrize("address", ["file"], indirect=True)
def test_a_move_that_is_killed_is_taken_up(artifacts: ArtifactStore) -> None:
    cut_short(artifacts)
    assert len(artifacts.index.unstored()) == 2
    held = {path.name: hash_folder(path) for path in artifacts.root.iterdir()}
    rest = move_outputs(artifacts, ignore_progress)
    assert rest is not None
    assert (rest.num_outputs, rest.num_there) == (2, 1)
    empty(artifacts)
    name_store(artifacts.workspace, None)
    cut_short(artifacts)
    back = move_outputs(artifacts, ignore_progress)
    assert back is not None
    assert (back.num_outputs, back.num_there) == (2, 1)
    assert empty(artifacts) == held


@pytest.mark.parametrize("address", ["file"], indirect=True)
def test_a_damaged_output_is_not_moved(artifacts: ArtifactStore) -> None:
    record = artifacts.index.all()[-1]
    (artifacts.root / record.id / "output" / "a.txt").unlink()
    done = move_outputs(artifacts, ignore_progress)
    assert done is not None
    assert (done.num_outputs, done.num_damaged) == (2, 1)


@pytest.mark.parametrize("address", ["file"], indirect=True)
def test_what_has_no_room_does_not_come_back(
    artifacts: ArtifactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved(artifacts)
    empty(artifacts)
    name_store(artifacts.workspace, None)
    full = shutil.disk_usage(artifacts.root)._replace(free=1)
    monkeypatch.setattr("pipelines.store.artifacts.moving.shutil.disk_usage", lambda _: full)
    with pytest.raises(RefusedError, match="this disk has only 1 B left"):
        move_outputs(artifacts, ignore_progress)


@pytest.mark.parametrize("address", ["file"], indirect=True)
def test_settings_that_cannot_be_used_are_told(
    artifacts: ArtifactStore, address: str, tmp_path: Path
) -> None:
    moved(artifacts)
    name_store(artifacts.workspace, f"file://{tmp_path}/elsewhere")
    with pytest.raises(ObjectStoreError, match="workspace move --outputs"):
        artifacts.folder("x", "output")
    (artifacts.workspace.root / "designer.toml").write_text("artifacts = 7\n")
    with pytest.raises(SettingsUnreadableError, match="artifacts must be a text"):
        artifacts.folder("x", "output")
    name_store(artifacts.workspace, address, "artifacts_cache_gb = 0\n")
    with pytest.raises(SettingsUnreadableError, match="artifacts_cache_gb"):
        artifacts.folder("x", "output")


@pytest.mark.parametrize("address", ["file"], indirect=True)
def test_the_command_says_what_it_moves(artifacts: ArtifactStore, address: str) -> None:
    def move(*options: str) -> str:
        root = str(artifacts.workspace.root)
        done = CliRunner().invoke(app, ["workspace", "move", "--workspace", root, *options])
        assert done.exit_code == 0, done.output
        return " ".join(done.stdout.split())

    assert f"Would move 3 outputs (1.2 kB) to {address}; 0 already existed." in move("--dry-run")
    assert json.loads(move("--outputs", "--json"))["outputs"]["num_outputs"] == 3
    assert f"Moved 0 outputs (0 B) to {address}; 3 already existed." in move()
    name_store(artifacts.workspace, None)
    assert f"back from {address}; 0 already existed." in move()
    assert "has no object store" in move("--outputs")


def records_of(cache: ArtifactCache, *names: str) -> list[ArtifactRecord]:
    """Copies of 100 bytes each, used in this order and long ago."""
    made = []
    for age, name in enumerate(reversed(names)):
        (cache.root / name).mkdir()
        cache.use(name)
        used = 1e9 - age
        os.utime(cache._marks / name, (used, used))
        made.append(ArtifactRecord(name, "k", "r", "n", 0.0, 100, [], "f", content="c"))
    return made


def test_copies_go_in_the_order_of_their_last_use(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path, tmp_path / "marks", 250)
    records = records_of(cache, "a", "b", "c", "d")
    assert cache.evict(records, needed={"a"}) == ["b", "c"]
    assert cache.evict(records, needed={"a"}) == []
    assert {path.name for path in tmp_path.iterdir()} == {"a", "d", "marks"}


def test_a_copy_that_is_in_use_stays_whatever_the_limit(tmp_path: Path) -> None:
    cache = ArtifactCache(tmp_path, tmp_path / "marks", 0)
    records = records_of(cache, "a", "b")
    assert cache.use("a")
    assert cache.evict(records, needed=set()) == ["b"]


def test_a_copy_that_is_used_while_it_goes_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ArtifactCache(tmp_path, tmp_path / "marks", 0)
    records = records_of(cache, "a")
    hide = ArtifactCache._hide

    def hide_and_use(self: ArtifactCache, name: str) -> Path:
        assert self.use(name)  # by another process, between the two looks at its mark
        return hide(self, name)

    monkeypatch.setattr(ArtifactCache, "_hide", hide_and_use)
    assert cache.evict(records, needed=set()) == []
    assert (tmp_path / "a").is_dir()
