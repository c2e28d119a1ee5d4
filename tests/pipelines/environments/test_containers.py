"""Whether containers run is found out by running one, whatever podman and docker answer."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.doctor import examine
from pipelines.environments import containers
from pipelines.workspace import Workspace

STAND_IN = """#!{python}
import os, subprocess, sys, tarfile
match sys.argv[1:]:
    case ["import", "-"]:
        with tarfile.open(fileobj=sys.stdin.buffer, mode="r|") as archive:
            archive.extractall(".", filter="data")
        print("sha256:1")
    case ["run", "--rm", "--network", "none", "sha256:1", "/probe"]:
        {run}
    case ["rmi", "--force", "sha256:1"]:
        os.unlink("probe")
    case _:
        sys.exit("Error: unknown command")
"""
"""What podman does with an image of one file, without a container around it."""
REAL_PATH = os.environ["PATH"]
CAN_RUN = sys.platform == "linux" and platform.machine() in containers.MACHINE_CODE


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where programs are looked for, and nothing else."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    containers.container_programs.cache_clear()
    yield tmp_path
    containers.container_programs.cache_clear()


def install(folder: Path, name: str, run: str) -> None:
    program = folder / name
    program.write_text(STAND_IN.format(python=sys.executable, run=run), encoding="utf-8")
    program.chmod(0o755)


def test_without_a_program_nothing_is_tried() -> None:
    assert containers.describe_containers() == "neither podman nor docker is here"


@pytest.mark.skipif(not CAN_RUN, reason="the program in the image is one of Linux")
def test_the_image_holds_a_program_that_ends_as_only_it_does(folder: Path) -> None:
    install(folder, "podman", "sys.exit(subprocess.run(['./probe']).returncode)")
    assert containers.describe_containers() == "podman runs containers"
    assert not (folder / "probe").exists()


@pytest.mark.parametrize(
    ("run", "why"),
    [
        ("sys.exit('Trying\\nError: crun: setrlimit: Operation not permitted')", "crun: setrlimit"),
        ("pass", "ended with status 0"),
        ("os.kill(os.getpid(), 9)", "ended with status -9"),
    ],
)
def test_a_program_that_answers_and_runs_nothing_says_why(folder: Path, run: str, why: str) -> None:
    install(folder, "docker", run)
    [found] = containers.container_programs()
    assert not found.runs
    assert why in found.why
    assert not (folder / "probe").exists()
    doctor = {each.name: each for each in examine(Workspace(folder / "ws"))}["containers"]
    assert doctor.ok
    assert f"docker runs none: {found.why}" in doctor.found
    assert "why `docker run` fails" in doctor.cure


def test_one_that_cannot_be_started_or_never_ends_is_no_failure(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "docker").write_text("no program", encoding="utf-8")
    (folder / "docker").chmod(0o755)
    monkeypatch.setattr(containers, "PROBE_SECONDS", 0.2)
    install(folder, "podman", "__import__('time').sleep(60)")
    podman, docker = containers.container_programs()
    assert podman.why == "it did not end within 0.2 seconds"
    assert docker.why.startswith("it cannot be started")


def test_a_real_one_ends_as_the_program_in_the_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", REAL_PATH)
    running = [each.name for each in containers.container_programs() if each.runs]
    if not running:
        pytest.skip(containers.describe_containers())
    monkeypatch.setattr(containers, "EXIT_STATUS", 41)
    containers.container_programs.cache_clear()
    found = {each.name: each.why for each in containers.container_programs()}
    assert {found[name] for name in running} == {"it ended with status 42"}
