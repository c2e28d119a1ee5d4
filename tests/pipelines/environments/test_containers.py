"""Whether images can be had is found out by having one, whatever podman and docker answer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.doctor import examine
from pipelines.environments import containers
from pipelines.workspace import Workspace

pytestmark = pytest.mark.extended

STAND_IN = """#!{python}
import os, shutil, sys
match sys.argv[1:]:
    case ["import", "-"]:
        open("image", "wb").write(sys.stdin.buffer.read())
        print("sha256:1")
    case ["create", "--name", name, "1", "-"]:
        {create}
        open(name, "w").close()
    case ["export", "--output", file, name]:
        shutil.copyfile("image", file)
    case ["rm", "--force", name]:
        os.path.exists(name) and os.unlink(name)
    case ["rmi", "--force", "1"]:
        os.unlink("image")
    case _:
        sys.exit("Error: unknown command")
"""
"""What podman does with an image of one file."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where programs are looked for, and nothing else."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    containers.container_programs.cache_clear()
    yield tmp_path
    containers.container_programs.cache_clear()


def install(folder: Path, name: str, create: str) -> None:
    program = folder / name
    program.write_text(STAND_IN.format(python=sys.executable, create=create), encoding="utf-8")
    program.chmod(0o755)


def test_without_a_program_nothing_is_tried() -> None:
    assert containers.describe_containers() == "podman and docker are not installed"


def test_one_that_hands_out_what_it_took_gives_images(folder: Path) -> None:
    install(folder, "podman", "pass")
    assert containers.describe_containers() == "podman works"
    assert {path.name for path in folder.iterdir()} == {"podman"}


@pytest.mark.parametrize(
    ("create", "why"),
    [
        ("sys.exit('Trying\\nError: crun: setrlimit: Operation not permitted')", "crun: setrlimit"),
        ("open('image', 'wb').write(bytes(10_240))", "other files than it imports"),
        ("open('image', 'wb').write(b'no tar')", "truncated header"),
        ("os.kill(os.getpid(), 9)", "no message"),
    ],
)
def test_a_program_that_answers_and_runs_nothing_says_why(
    folder: Path, create: str, why: str
) -> None:
    install(folder, "docker", create)
    [result] = containers.container_programs()
    assert not result.runs
    assert why in result.why
    assert {path.name for path in folder.iterdir()} == {"docker"}
    doctor = {item.name: item for item in examine(Workspace(folder / "ws"))}["containers"]
    assert doctor.ok
    assert f"docker does not work: {result.why}" in doctor.found
    assert "why `docker import` and" in doctor.cure


def test_one_that_cannot_be_started_or_never_ends_is_no_failure(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "docker").write_text("no program", encoding="utf-8")
    (folder / "docker").chmod(0o755)
    monkeypatch.setattr(containers, "TRIAL_TIMEOUT_SECONDS", 0.2)
    install(folder, "podman", "__import__('time').sleep(60)")
    podman, docker = containers.container_programs()
    assert podman.why == "timeout after 0.2 seconds"
    assert docker.why.startswith("cannot be started")
