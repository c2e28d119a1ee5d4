"""Contents in an object store: whole or not there, compared when read, on a folder and on S3."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from modules.files.hashing import hash_folder
from pipelines.errors import ObjectDamagedError, ObjectStoreAwayError, ObjectStoreError
from pipelines.store.objects import object_store
from pipelines.store.objects.object_address import ObjectAddress
from pipelines.store.objects.object_files import ObjectFiles
from pipelines.store.objects.object_store import ObjectStore
from pipelines.store.objects.tar_archive import pack, unpack

pytestmark = pytest.mark.extended


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An output with some of everything."""
    made = tmp_path / "output"
    (made / "images" / "empty").mkdir(parents=True)
    for number in range(300):
        (made / "images" / f"{number:03} ä.png").write_bytes(bytes([number % 251]) * number)
    (made / "run.sh").write_text("echo\n")
    (made / "run.sh").chmod(0o755)
    (made / "link").symlink_to("images/001 ä.png")
    (made / ("long" * 40)).write_text("x")
    return made


def opened(address: str, owner: str = "me") -> ObjectStore:
    return ObjectStore(address, lambda: owner)


def objects(address: str) -> ObjectFiles:
    return ObjectFiles(ObjectAddress.parse(address))


def test_what_comes_back_is_what_was_put(address: str, folder: Path, tmp_path: Path) -> None:
    store = opened(address)
    name = store.put(folder, tmp_path)
    assert len(objects(address).listed("contents")) == 3  # never one a file
    assert store.has(name)
    store.fetch(name, tmp_path / "back", tmp_path)
    back = tmp_path / "back"
    assert hash_folder(back) == hash_folder(folder)
    assert (back / "images" / "empty").is_dir()
    assert os.readlink(back / "link") == "images/001 ä.png"
    assert os.access(back / "run.sh", os.X_OK)
    assert not os.access(back / "images" / "007 ä.png", os.X_OK)
    assert opened(address).put(back, tmp_path) == name  # times and inodes are none of it
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "store") == [
        "back",
        "output",
    ]


def test_of_two_that_store_the_same_both_have_it(
    address: str, folder: Path, tmp_path: Path
) -> None:
    stores = [opened(address) for _ in range(4)]
    with ThreadPoolExecutor() as threads:
        names = set(threads.map(lambda item: item.put(folder, tmp_path), stores))
    assert len(names) == 1
    assert [content.is_whole for content in stores[0].contents()] == [True]
    assert not stores[0].damage(names.pop(), tmp_path)


@pytest.mark.parametrize("file", ["data.tar", "index.json", "manifest.json"])
def test_a_damaged_object_is_told_and_made_good_by_the_next_put(
    address: str, folder: Path, tmp_path: Path, file: str
) -> None:
    store = opened(address)
    name = store.put(folder, tmp_path)
    files = objects(address)
    content = bytearray(files.read(f"contents/{name}/{file}"))
    content[len(content) // 2] ^= 64
    files.write(f"contents/{name}/{file}", bytes(content))
    with pytest.raises(ObjectDamagedError, match=r"damaged or incomplete\. Run its node again"):
        store.fetch(name, tmp_path / "back", tmp_path)
    assert store.damage(name, tmp_path)
    assert not (tmp_path / "back").exists()
    assert store.put(folder, tmp_path) == name
    store.fetch(name, tmp_path / "back", tmp_path)


def test_what_has_no_manifest_does_not_exist(address: str, folder: Path, tmp_path: Path) -> None:
    store = opened(address)
    name = store.put(folder, tmp_path)
    objects(address).remove(f"contents/{name}/manifest.json")
    assert not store.has(name)
    with pytest.raises(ObjectDamagedError):
        store.fetch(name, tmp_path / "back", tmp_path)


def test_only_what_is_old_and_unwanted_is_freed(
    address: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(address)
    wanted = store.put(folder / "images", tmp_path)
    (folder / "images" / "more").touch()
    unwanted = store.put(folder / "images", tmp_path)
    half = store.put(folder, tmp_path)
    objects(address).remove(f"contents/{half}/manifest.json")
    assert store.unused([wanted]) == []
    monkeypatch.setattr(object_store, "REMOVAL_AGE_SECONDS", -5.0)
    assert {item.name for item in store.unused([wanted, half])} == {unwanted, half}
    store.remove(unwanted)
    assert not store.has(unwanted)
    assert store.has(wanted)


def test_a_prefix_belongs_to_one_workspace(address: str, folder: Path, tmp_path: Path) -> None:
    opened(address).claim()
    with pytest.raises(ObjectStoreError, match="belongs to another workspace"):
        opened(address, "you").put(folder, tmp_path)
    with pytest.raises(ObjectStoreError, match="belongs to another workspace"):
        opened(address, "you").unused([])


def test_a_place_that_has_lost_everything_is_away_not_damaged(
    address: str, folder: Path, tmp_path: Path
) -> None:
    name = opened(address).put(folder, tmp_path)
    objects(address).remove("contents")
    with pytest.raises(ObjectDamagedError):
        opened(address).fetch(name, tmp_path / "back", tmp_path)
    objects(address).remove("workspace.json")  # a folder without the disk that is mounted there
    with pytest.raises(ObjectStoreAwayError, match=r"workspace\.json is missing"):
        opened(address).fetch(name, tmp_path / "back", tmp_path)
    with pytest.raises(ObjectStoreAwayError):
        opened(address).claim(is_known=True)


@pytest.mark.parametrize("name", ["../out", "/tmp/out", "a/../../out", ""])
def test_an_index_that_leads_out_of_the_folder_is_not_followed(
    folder: Path, tmp_path: Path, name: str
) -> None:
    _, index = pack(folder, tmp_path / "tar")
    [file] = [entry for entry in index if entry[0] == "run.sh"]
    with pytest.raises(ValueError, match="points outside"):
        unpack(tmp_path / "tar", [[name, *file[1:]]], tmp_path / "back")


KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from pipelines.store.objects import object_files
from pipelines.store.objects.object_store import ObjectStore

def die(*_): os.kill(os.getpid(), signal.SIGKILL)

def half(source, target):
    target.write_bytes(source.read_bytes()[:5000])
    die()

create = object_files.ObjectFiles.create
if sys.argv[1] == "half":
    object_files._copy = half
else:
    object_files.ObjectFiles.create = lambda self, name, content: (
        die() if name.endswith(sys.argv[1]) else create(self, name, content)
    )
ObjectStore(sys.argv[2], lambda: "me").put(Path(sys.argv[3]), Path(sys.argv[4]))
"""


@pytest.mark.parametrize("moment", ["half", "index.json", "manifest.json"])
def test_a_put_that_is_killed_leaves_nothing_that_is_half_there(
    folder: Path, tmp_path: Path, moment: str
) -> None:
    address = f"file://{tmp_path}/store"
    arguments = [moment, address, str(folder), str(tmp_path / "scratch")]
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert killed.returncode == -signal.SIGKILL
    store = opened(address)
    assert [content.is_whole for content in store.contents()] == [False]
    name = store.put(folder, tmp_path / "scratch")
    assert [content.is_whole for content in store.contents()] == [True]
    store.fetch(name, tmp_path / "back", tmp_path)
    assert hash_folder(tmp_path / "back") == hash_folder(folder)


@pytest.mark.parametrize(
    "text",
    [
        "s3://KEY:geheim@bucket/prefix",
        "s3://bucket/prefix?secret=geheim",
        "abfs://geheim:x@account/prefix",
        "ftp://geheim/prefix",
        "s3://",
        "file://geheim/folder",
        "file:///a/../geheim",
        "geheim",
    ],
)
def test_an_address_that_cannot_be_used_is_not_repeated(text: str) -> None:
    with pytest.raises(ObjectStoreError) as raised:
        ObjectAddress.parse(text)
    assert "geheim" not in str(raised.value)
    assert raised.value.cure


def test_addresses_that_can(tmp_path: Path) -> None:
    for text in (
        "s3://bucket/a/b/",
        "gs://bucket",
        "abfs://container@account.dfs.core.windows.net/a",
        f"file://{tmp_path}",
    ):
        assert ObjectAddress.parse(text).place == text.rstrip("/")


@pytest.mark.parametrize("address", ["s3"], indirect=True)
def test_who_may_not_and_what_is_not_there_are_told_without_secrets(
    address: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ObjectStoreError, match="Bucket or container not found"):
        opened("s3://nobody-made-this/prefix").put(folder, tmp_path)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    started = time.monotonic()
    with pytest.raises(ObjectStoreAwayError, match="EndpointConnectionError") as raised:
        opened(address).put(folder, tmp_path)
    assert time.monotonic() - started < 60
    assert "kein-Wort" not in str(raised.value)


def test_nothing_of_an_extra_is_imported_before_a_workspace_needs_it(tmp_path: Path) -> None:
    program = """
import sys
import pipelines.session, pipelines.execution.runner_process, designer_app.server
from pipelines.cli import app
from pipelines.workspace import Workspace
pipelines.session.WorkspaceSession(Workspace.at(sys.argv[1]).make()).close()
stores = {"fsspec", "s3fs", "adlfs", "gcsfs", "boto3", "botocore"}
print(sorted({*stores, "ray", "psycopg", "kubernetes"} & set(sys.modules)))
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.replace("'", '"')) == []


def test_what_stays_warm_reaches_a_store_without_loading_anything_more() -> None:
    program = """
import sys, threading
from modules.files.object_places import ObjectPlace, load_back_end
load_back_end("s3")
before = set(sys.modules)
assert threading.active_count() == 1, "nothing may be forked beside threads"
ObjectPlace.split("s3://bucket").open()
print(*sorted({each.partition(".")[0] for each in set(sys.modules) - before}))
load_back_end("abfs"), load_back_end("gs")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not {"s3fs", "aiobotocore", "botocore"} & set(done.stdout.split())


def test_of_steps_only_those_are_abandoned_that_nobody_told_anything_of(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, files = opened(address), objects(address)
    for name in ("steps/a/runner/00000000", "steps/a/0/00000000", "steps/b/runner/00000000"):
        files.write(name, b"[]\n")
    assert store.abandoned_steps() == []
    monkeypatch.setattr(object_store, "REMOVAL_AGE_SECONDS", -60.0)
    assert store.abandoned_steps() == ["steps/a", "steps/b"]
    store.remove_step("steps/a")
    assert store.abandoned_steps() == ["steps/b"]
