"""The store on disk: damage is found and made good, unused things are swept, sizes are told."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from modules.files.locks import hold
from modules.image_loading.feature_store import FeatureStore
from modules.scoring.kept_runtimes import KeptRuntime, RuntimeCache
from pipelines.errors import ObjectDamagedError, ObjectStoreError, RefusedError
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.leftovers import find_leftovers, remove_leftovers
from pipelines.store.artifacts.manifest import damages_of, folder_bytes
from pipelines.store.artifacts.moving import move_outputs
from pipelines.store.artifacts.unknown_outputs import enter_unknown_outputs
from pipelines.store.database.connections import Database
from pipelines.store.database.runs import RunStore
from pipelines.store.objects.tar_archive import pack, unpack
from pipelines.workspace import Workspace
from tests.pipelines.conftest import build, run, statuses, value
from tests.pipelines.store.artifacts.small_artifacts import enter

PAIR = build(
    {"sum": {"a": "two", "b": "two"}},
    {"two": {"module": "constant", "value": 2.0}, "sum": {"module": "add"}},
)


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    workspace = Workspace.at(tmp_path / "workspace").make()
    return ArtifactStore(workspace, Database.open(workspace))


def test_what_enters_is_found_by_its_key_newest_first(store: ArtifactStore) -> None:
    enter(store, "k" * 64, "old")
    newer = enter(store, "k" * 64, "new")
    entry = store.find("k" * 64)
    assert entry is not None
    assert entry.id == newer
    assert entry.num_bytes == folder_bytes(store.root / newer)
    assert store.find("x" * 64) is None


@pytest.mark.parametrize("harm", ["change", "truncate", "remove", "add", "manifest", "folder"])
def test_damage_is_found_and_never_used(store: ArtifactStore, harm: str) -> None:
    artifact_id = enter(store, "k" * 64, "text")
    folder = store.folder(artifact_id, "output")
    match harm:
        case "change":
            (folder / "deep" / "b.txt").write_text("TEXTtext", encoding="utf-8")
        case "truncate":
            os.truncate(folder / "a.txt", 1)
        case "remove":
            (folder / "a.txt").unlink()
        case "add":
            (folder / "c.txt").write_text("more", encoding="utf-8")
        case "manifest":
            (folder / "manifest.json").write_text("{}", encoding="utf-8")
        case "folder":
            shutil.rmtree(store.root / artifact_id)
    assert store.find("k" * 64) is None
    assert store.verify(artifact_id)


def test_a_workspace_that_was_copied_is_hashed_once_and_used(store: ArtifactStore) -> None:
    artifact_id = enter(store, "k" * 64, "text")
    copy = store.root / "copy"
    shutil.copytree(store.root / artifact_id, copy)
    shutil.rmtree(store.root / artifact_id)
    copy.rename(store.root / artifact_id)
    before = store.index.get(artifact_id)
    assert store.find("k" * 64) is not None
    after = store.index.get(artifact_id)
    assert before is not None
    assert after is not None
    assert before.stat_fingerprint != after.stat_fingerprint


def test_what_needs_a_damaged_artifact_is_not_used(store: ArtifactStore) -> None:
    source = enter(store, "s" * 64, "pictures")
    enter(store, "d" * 64, "rows", frozenset({f"{source}/output"}))
    assert store.find("d" * 64) is not None
    (store.folder(source, "output") / "a.txt").unlink()
    assert store.find("d" * 64) is None


def test_damages_are_told_in_words(store: ArtifactStore) -> None:
    folder = store.folder(enter(store, "k" * 64, "text"), "output")
    assert list(damages_of(folder)) == []
    (folder / "a.txt").write_text("other", encoding="utf-8")
    (folder / "new.txt").touch()
    assert sorted(damages_of(folder)) == ["a.txt has changed", "new.txt was added"]


def test_a_run_makes_a_damaged_output_anew(runs: RunService) -> None:
    _, before = run(runs, PAIR)
    folder = Path(runs.artifacts.outputs(before.steps["two"])["output"])
    (folder / "number.json").write_text("5.0", encoding="utf-8")
    _, after = run(runs, PAIR)
    assert statuses(after) == {"two": "completed", "sum": "reused"}
    assert value(runs, after, "two") == 2.0


def test_sweeping_frees_exactly_what_nothing_refers_to(runs: RunService) -> None:
    _, state = run(runs, PAIR)
    stray = runs.artifacts.root / ".broken-step-1"
    stray.mkdir()
    (stray / "file").write_bytes(b"x" * 1000)
    unused = enter(runs.artifacts, "u" * 64, "unused")
    with runs.runner.sweeping() as alone:
        assert alone
        planned = runs.artifacts.sweep(dry_run=True)
        done = runs.artifacts.sweep()
    assert planned == done
    assert done.artifact_ids == [unused]
    assert done.leftovers == [stray.name]
    assert done.num_bytes > 1000
    kept = {step.artifact_id for step in state.steps.values()}
    assert {path.name for path in runs.artifacts.root.iterdir()} == kept


def test_sweeping_removes_features_that_nobody_can_read(runs: RunService) -> None:
    store = FeatureStore(runs.workspace.cache_dir, "some-network")
    store.add((2,), [b"h" * 32], [np.zeros((1, 2), np.float32)])
    [whole] = store.folder.iterdir()
    damaged = whole.with_name(f"damaged{whole.suffix}")
    damaged.write_bytes(whole.read_bytes()[:-1])
    with runs.runner.sweeping():
        planned = runs.artifacts.sweep(dry_run=True)
        assert damaged.exists()
        done = runs.artifacts.sweep()
    assert planned == done
    assert done.leftovers == [damaged.name]
    assert [*store.folder.iterdir()] == [whole]


def test_sweeping_removes_exported_models_of_endpoints_that_are_long_unused(
    runs: RunService,
) -> None:
    for key in ("old", "new"):
        RuntimeCache(runs.workspace.cache_dir, key).keep(KeptRuntime("OpenVINO", key.encode()))
    folder = RuntimeCache(runs.workspace.cache_dir, "").folder
    for path in folder.glob("old*"):
        os.utime(path, (1e9, 1e9))
    with runs.runner.sweeping():
        done = runs.artifacts.sweep()
    assert sorted(done.leftovers) == ["old.json", "old.onnx"]
    assert {path.stem for path in folder.iterdir()} == {"new"}


def test_old_files_that_no_process_still_writes_are_removed(store: ArtifactStore) -> None:
    root = store.workspace.root
    old, held, young = (root / f".{name}.tmp" for name in ("old", "held", "young"))
    for path in (old, held, young):
        path.touch()
    for path in (old, held):
        os.utime(path, (1e9, 1e9))
    with held.open("rb") as file:
        hold(file)
        assert find_leftovers(store.workspace) == [old]
        assert remove_leftovers(store.workspace) == [old]
    assert [path.exists() for path in (old, held, young)] == [False, True, True]


def test_what_a_kept_artifact_needs_is_kept(runs: RunService) -> None:
    _, state = run(runs, PAIR)
    source = enter(runs.artifacts, "s" * 64, "pictures")
    record = runs.artifacts.index.get(state.steps["sum"].artifact_id or "")
    assert record is not None
    needing = enter(runs.artifacts, "d" * 64, "rows", frozenset({f"{source}/output"}))
    closure = ArtifactStore.closure({needing}, {r.id: r for r in runs.artifacts.index.all()})
    assert closure == {needing, source}


def test_nothing_is_swept_while_a_run_is_under_way(runs: RunService) -> None:
    nodes = {
        "two": {"module": "constant", "value": 2.0},
        "long": {"module": "sleep", "seconds": 30.0},
    }
    run_id = runs.submit(RunRequest(build({"long": {"a": "two"}}, nodes)))
    with runs.runner.sweeping() as alone:
        assert not alone
    runs.cancel(run_id)


def test_verifying_drops_a_damaged_copy_of_a_stored_output(tmp_path: Path) -> None:
    store = with_object_store(tmp_path)
    artifact_id = enter(store, "k" * 64, "text")
    assert move_outputs(store, lambda _: None) is not None
    (store.root / artifact_id / "output" / "a.txt").write_text("TEXT", encoding="utf-8")
    assert store.verify(artifact_id) == []
    assert not (store.root / artifact_id).exists()
    again = store.folder(artifact_id, "output") / "a.txt"
    assert again.read_text(encoding="utf-8") == "text"
    store.index.database.close()


def with_object_store(tmp_path: Path, more: str = "") -> ArtifactStore:
    workspace = Workspace.at(tmp_path / "workspace").make()
    settings = f'artifacts = "file://{tmp_path}/store"\n{more}'
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    return ArtifactStore(workspace, Database.open(workspace))


def test_an_output_is_downloaded_with_the_outputs_it_refers_to(tmp_path: Path) -> None:
    store = with_object_store(tmp_path)
    source = enter(store, "s" * 64, "pictures")
    rows = enter(store, "d" * 64, "rows", frozenset({f"{source}/output"}))
    assert move_outputs(store, lambda _: None) is not None
    for folder in store.root.iterdir():
        shutil.rmtree(folder)
    store.folder(rows, "output")
    assert {folder.name for folder in store.root.iterdir()} == {source, rows}
    store.index.database.close()


def test_a_move_to_the_object_store_leaves_no_more_copies_than_allowed(tmp_path: Path) -> None:
    store = with_object_store(tmp_path, "artifacts_cache_gb = 0.000001\n")
    unused = enter(store, "k" * 64, "text" * 1000)
    os.utime(store.root / unused, (0, 0))
    assert move_outputs(store, lambda _: None) is not None
    assert not (store.root / unused).exists()
    assert store.find("k" * 64) is not None
    store.index.database.close()


def test_an_output_that_is_damaged_in_the_object_store_is_never_used(tmp_path: Path) -> None:
    store = with_object_store(tmp_path)
    artifact_id = enter(store, "k" * 64, "text")
    assert move_outputs(store, lambda _: None) is not None
    shutil.rmtree(store.root / artifact_id)
    [content] = (tmp_path / "store").rglob("*.tar")
    content.write_bytes(content.read_bytes().replace(b"text", b"TEXT"))
    with pytest.raises(ObjectDamagedError):
        store.folder(artifact_id, "output")
    assert store.find("k" * 64) is None
    store.index.database.close()


def test_the_object_store_is_remembered_as_the_place_of_the_outputs(tmp_path: Path) -> None:
    store = with_object_store(tmp_path)
    artifact_id = enter(store, "k" * 64, "text")
    assert move_outputs(store, lambda _: None) is not None
    shutil.rmtree(store.root / artifact_id)
    settings = store.workspace.root / "designer.toml"
    settings.write_text(f'artifacts = "file://{tmp_path}/elsewhere"\n', encoding="utf-8")
    with pytest.raises(ObjectStoreError, match="workspace move --outputs"):
        store.folder(artifact_id, "output")
    settings.unlink()  # they are still there
    again = store.folder(artifact_id, "output") / "a.txt"
    assert again.read_text(encoding="utf-8") == "text"
    store.index.database.close()


@pytest.mark.parametrize("lacking_bytes", [0, 1])
def test_outputs_come_back_if_the_disk_has_room_for_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking_bytes: int
) -> None:
    store = with_object_store(tmp_path)
    record = store.index.get(enter(store, "k" * 64, "text"))
    assert record is not None
    assert move_outputs(store, lambda _: None) is not None
    shutil.rmtree(store.root / record.id)
    (store.workspace.root / "designer.toml").unlink()
    left = shutil.disk_usage(store.root)._replace(free=record.num_bytes - lacking_bytes)
    monkeypatch.setattr("pipelines.store.artifacts.moving.shutil.disk_usage", lambda _: left)
    if lacking_bytes:
        with pytest.raises(RefusedError):
            move_outputs(store, lambda _: None)
    else:
        moved: list[str] = []
        assert move_outputs(store, moved.append) is not None
        assert moved == [record.id]
    assert (store.root / record.id).is_dir() == (not lacking_bytes)
    store.index.database.close()


@pytest.mark.parametrize("harm", ["none", "damage", "name"])
def test_unknown_outputs_are_recorded_if_intact_and_named_after_their_key(
    store: ArtifactStore, harm: str
) -> None:
    folder = store.root / enter(store, "k" * 64, "text")
    unknown = store.root / ("x" * 20 + folder.name[20:] if harm == "name" else folder.name)
    if harm == "damage":
        (folder / "output" / "a.txt").write_text("other", encoding="utf-8")
    folder.rename(store.root / "aside")
    store.index.remove([folder.name])
    (store.root / "aside").rename(unknown)
    assert enter_unknown_outputs(store) == ([unknown.name] if harm == "none" else [])
    assert (store.find("k" * 64) is not None) == (harm == "none")


def test_a_packed_folder_is_unpacked_with_its_folders_links_and_modes(tmp_path: Path) -> None:
    folder, copy = tmp_path / "output", tmp_path / "copy"
    (folder / "images" / "empty").mkdir(parents=True)
    (folder / "images" / "1.png").write_bytes(b"1" * 1000)
    (folder / "run.sh").write_text("echo\n", encoding="utf-8")
    (folder / "run.sh").chmod(0o744)
    (folder / "link").symlink_to("images/1.png")
    digest, index = pack(folder, tmp_path / "data.tar")
    unpack(tmp_path / "data.tar", index, copy)
    assert [path.relative_to(copy).as_posix() for path in sorted(copy.rglob("*"))] == [
        *("images", "images/1.png", "images/empty", "link", "run.sh"),
    ]
    assert (copy / "images" / "empty").is_dir()
    assert (copy / "images" / "1.png").read_bytes() == b"1" * 1000
    assert os.readlink(copy / "link") == "images/1.png"
    assert (copy / "run.sh").stat().st_mode & 0o777 == 0o755
    assert (copy / "images" / "1.png").stat().st_mode & 0o777 == 0o644
    assert pack(copy, tmp_path / "again.tar") == (digest, index)


def test_only_folders_that_the_database_does_not_know_are_unknown(store: ArtifactStore) -> None:
    """Of runs and of outputs; young ones are kept and named, as a restored database knows fewer."""
    known = RunStore(store.index.database).create({}, ["a"], name="n", experiment="e")
    of_known = store.workspace.runs_dir / known
    young, old = (store.workspace.runs_dir / f"20260101-00000{place}-abcd" for place in (1, 2))
    day_seconds = 24 * 3600
    for folder, age_days in ((of_known, 31), (young, 29), (old, 31)):
        folder.mkdir(parents=True)
        changed = time.time() - age_days * day_seconds
        os.utime(folder, (changed, changed))
    planned = store.sweep(dry_run=True)
    assert planned.kept_unknown == [young.name]
    store.sweep()
    assert [folder.exists() for folder in (of_known, young, old)] == [True, True, False]
    store.sweep(takes_unknown=True)
    assert [folder.exists() for folder in (of_known, young)] == [True, False]
