"""Environments are really resolved and built here, by uv, of tiny wheels in a folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from modules.errors import (
    EnvironmentNotMadeError,
    ModuleOutOfMemoryError,
)
from modules.operating_system import locks
from pipelines.environments.builder import BuiltEnvironment, ensure_built, folder_of
from pipelines.environments.definition import EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.resolver import Resolution
from pipelines.environments.virtual_environment import site_packages_of
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from tests.pipelines.environments.toy_index import make_source, make_wheel

pytestmark = pytest.mark.extended


def kept(environments: WorkspaceEnvironments, *requirements: str) -> EnvironmentRecord:
    """A record for these requirements."""
    resolved = environments.resolve(EnvironmentDefinition(requirements=requirements))
    return environments.keep("mine", resolved)


def printed(built: BuiltEnvironment, code: str) -> str:
    """What its Python prints."""
    done = subprocess.run(
        [built.python, "-I", "-c", code], capture_output=True, text=True, check=False, env={}
    )
    return (done.stdout or done.stderr.splitlines()[-1]).strip()


def test_packages_are_locked_with_hashes_built_once_and_shared(
    environments: WorkspaceEnvironments,
) -> None:
    record = kept(environments, "needy")
    assert record.lock.count("--hash=sha256:") == 2
    assert "tiny==2.0" in record.lock
    first, second = environments.build(record), environments.build(record)
    assert (first.was_cached, second.was_cached) == (False, True)
    assert first.num_packages == 2
    assert printed(first, "import tiny; print(tiny.version)") == "2.0"
    again = environments.keep("another", environments.resolve(record.definition))
    assert environments.build(again).was_cached


def test_no_address_and_no_path_gets_into_a_lock(
    environments: WorkspaceEnvironments, wheels: Path
) -> None:
    lock = kept(environments, "needy").lock
    assert "://" not in lock
    assert str(wheels) not in lock


def test_the_designers_torch_is_there_and_nothing_else_of_it(
    environments: WorkspaceEnvironments,
) -> None:
    built = environments.build(environments.get("designer"))
    text = "import importlib.util as u; print(*(bool(u.find_spec(n)) for n in %r))"
    names = ("torch", "torchvision", "numpy", "PIL", "streamlit", "pipelines", "sqlalchemy")
    assert printed(built, text % (names,)) == "True True True True False False False"
    assert (built.bin_dir / "torchrun").is_file()


def test_an_isolated_one_has_nothing_of_the_designer(environments: WorkspaceEnvironments) -> None:
    definition = EnvironmentDefinition(requirements=("tiny==1.0",), base="isolated")
    built = environments.build(environments.keep("alone", environments.resolve(definition)))
    assert printed(built, "import tiny; print(tiny.version)") == "1.0"
    assert "No module named 'torch'" in printed(built, "import torch")


def test_a_workspace_can_be_moved(environments: WorkspaceEnvironments, tmp_path: Path) -> None:
    record = kept(environments, "needy")
    environments.build(record)
    elsewhere = tmp_path / "elsewhere"
    shutil.move(environments.root, elsewhere)
    moved = ensure_built(record, elsewhere)
    assert moved.was_cached
    assert printed(moved, "import tiny, torch; print(torch.__name__)") == "torch"
    script = (moved.bin_dir / "needy").read_text(encoding="utf-8")
    assert str(tmp_path) not in script


def test_what_was_built_once_is_built_again_without_its_index(
    environments: WorkspaceEnvironments, wheels: Path
) -> None:
    record = kept(environments, "needy")
    folder = environments.build(record).folder
    shutil.rmtree(folder)
    assert not environments.build(record).was_cached
    shutil.rmtree(wheels)
    wheels.mkdir()
    shutil.rmtree(folder)
    shutil.rmtree(environments.root / "cache")
    with pytest.raises(EnvironmentNotMadeError, match="needy was not found in") as failed:
        environments.build(record)
    assert failed.value.code == "3110", "the folder of wheels answers: it is not there"


def test_a_damaged_environment_is_built_anew_and_so_is_what_shares_its_files(
    environments: WorkspaceEnvironments,
) -> None:
    record, other = kept(environments, "needy"), kept(environments, "tiny==2.0")
    first, shared = environments.build(record), environments.build(other)
    file = site_packages_of(first.folder) / "tiny.py"
    assert not os.stat(file).st_mode & 0o222
    file.chmod(0o644)
    file.write_text("version = 'broken'", encoding="utf-8")
    for item in (record, other):
        built = environments.build(item)
        assert not built.was_cached
        assert printed(built, "import tiny; print(tiny.version)") == "2.0"
    assert shared.folder.is_dir()


def test_what_was_found_damaged_is_never_used_again_though_it_looks_as_before(
    environments: WorkspaceEnvironments,
) -> None:
    record = kept(environments, "tiny")
    file = site_packages_of(environments.build(record).folder) / "tiny.py"
    facts, content = file.stat(), file.read_bytes()
    assert environments.verify(record) == []
    file.chmod(0o644)
    file.write_bytes(content[:-1] + b"#")
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert [item.file for item in environments.verify(record)] == ["tiny.py"]
    assert not environments.build(record).was_cached
    assert environments.verify(record) == []


def test_two_builders_wait_for_each_other(environments: WorkspaceEnvironments) -> None:
    record = kept(environments, "tiny")
    waiting = threading.Event()
    built: list[BuiltEnvironment] = []

    def report(line: str) -> None:
        if line == "Waiting for another process to build mine@1.":
            waiting.set()

    def build() -> None:
        built.append(environments.build(record, report))

    with (environments.root / f"{record.key[:24]}.lock").open("w") as other:
        locks.lock(other)
        thread = threading.Thread(target=build)
        thread.start()
        assert waiting.wait(120)
        assert not folder_of(record.key, environments.root).exists()
    thread.join(120)
    assert [item.was_cached for item in built] == [False]


def test_who_waits_is_told_the_run_that_builds(environments: WorkspaceEnvironments) -> None:
    record, root = kept(environments, "tiny"), environments.root
    results: list[str] = []
    waiting = threading.Event()

    def wait(line: str) -> None:
        results.append(line)
        waiting.set()

    second = threading.Thread(target=ensure_built, args=(record, root, wait))

    def start_second(_line: str) -> None:
        if not waiting.is_set():
            second.start()
            assert waiting.wait(120)

    (root / f"{record.key[:24]}.run").write_text("run-killed-before", encoding="utf-8")
    ensure_built(record, root, start_second, run_id="run-7")
    second.join(120)
    assert results == ["Waiting for run run-7 to build mine@1."]
    assert [*root.glob("*.run")] == []


KILLED = """
import json, os, signal, sys
from pathlib import Path
from pipelines.environments.builder import ensure_built
from pipelines.environments.definition import EnvironmentRecord

def die(line: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)

ensure_built(EnvironmentRecord.from_json(json.loads(sys.argv[1])), Path(sys.argv[2]), die)
"""


def test_a_build_that_was_killed_leaves_nothing_that_is_taken_for_one(
    environments: WorkspaceEnvironments,
) -> None:
    record = kept(environments, "tiny")
    arguments = [json.dumps(asdict(record)), str(environments.root)]
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert done.returncode < 0
    assert len(list(environments.root.glob(".building-*"))) == 1
    assert environments.marker(record) is None
    assert not environments.build(record).was_cached
    assert list(environments.root.glob(".building-*")) == []


def test_other_files_than_those_that_were_locked_are_not_installed(
    environments: WorkspaceEnvironments, wheels: Path
) -> None:
    record = kept(environments, "tiny==1.0")
    shutil.rmtree(environments.root / "cache")
    make_wheel(wheels, "tiny", "1.0", files={"tiny.py": "version = 'of somebody else'\n"})
    with pytest.raises(EnvironmentNotMadeError, match="differs from the locked one"):
        environments.build(record)


@pytest.mark.parametrize(
    ("requirements", "reason"),
    [
        (("torchvison-image",), "package_unknown"),
        (("needy", "old"), "no_solution"),
        (("tiny==3",), "no_solution"),
        (("ancient",), "no_wheel_for_python"),
        (("fromsource",), "only_source"),
    ],
)
def test_what_cannot_be_resolved_says_why(
    environments: WorkspaceEnvironments, wheels: Path, requirements: tuple[str, ...], reason: str
) -> None:
    make_wheel(wheels, "ancient", tag="cp36-cp36m-linux_x86_64")
    (wheels / "fromsource-1.0.tar.gz").write_bytes(b"never opened")
    with pytest.raises(EnvironmentNotMadeError) as failed:
        kept(environments, *requirements)
    assert (failed.value.reason, failed.value.parameter) == (reason, "environment")
    assert requirements[0].split("=")[0] in failed.value.message


def test_an_old_preview_does_not_stand_in_for_releases_without_wheels(
    environments: WorkspaceEnvironments, wheels: Path
) -> None:
    make_wheel(wheels, "once", "0.3.dev5")
    assert "once==0.3.dev5" in kept(environments, "once").lock  # there is nothing else of it
    (wheels / "once-1.0.tar.gz").write_bytes(b"never opened")
    with pytest.raises(EnvironmentNotMadeError) as failed:
        kept(environments, "once")
    assert failed.value.reason == "only_source"
    assert "--" not in failed.value.message
    assert "once==0.3.dev5" in kept(environments, "once>=0.3.dev1").lock


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own of half a megabyte, gone afterwards."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"needs the right to mount a disk: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], timeout=60, check=True)


def test_a_full_disk_is_0138_and_leaves_nothing(
    environments: WorkspaceEnvironments, wheels: Path, small_disk: Path
) -> None:
    make_wheel(wheels, "large", files={"large.py": f"text = {'x' * 1_000_000!r}\n"})
    record = kept(environments, "large")
    with pytest.raises(ModuleOutOfMemoryError) as full:
        ensure_built(record, small_disk)
    assert (full.value.code, full.value.parameter) == ("0138", "environment")
    assert not folder_of(record.key, small_disk).exists()
    assert list(small_disk.glob(".building-*")) == []


def test_without_uv_the_designers_own_is_built_and_all_else_says_how_to_get_it(
    environments: WorkspaceEnvironments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uv", None)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(EnvironmentNotMadeError) as failed:
        kept(environments, "tiny")
    assert failed.value.reason == "no_uv"
    assert "pipeline-designer[environments]" in failed.value.cure
    monkeypatch.undo()
    assert not environments.build(environments.get("designer")).was_cached


def test_a_lock_for_another_torch_is_not_built_on_the_designers(
    environments: WorkspaceEnvironments,
) -> None:
    lock = f"torch==1.0 \\\n    --hash=sha256:{'0' * 64}\n"
    definition = EnvironmentDefinition(requirements=("torch",))
    record = environments.keep("mine", Resolution(definition, lock))
    with pytest.raises(EnvironmentNotMadeError, match=r"torch 1\.0, here"):
        environments.build(record)


def test_packages_without_wheels_are_built_where_that_is_allowed(
    environments: WorkspaceEnvironments, wheels: Path
) -> None:
    make_source(wheels, "sourced")
    definition = EnvironmentDefinition(requirements=("sourced",))
    with pytest.raises(EnvironmentNotMadeError) as refused:
        environments.resolve(definition)
    assert refused.value.reason == "only_source"
    resolved = environments.resolve(definition.changed(allow_builds=True))
    built = environments.build(environments.keep("risky", resolved))
    assert printed(built, "import sourced; print(sourced.version)") == "built"
