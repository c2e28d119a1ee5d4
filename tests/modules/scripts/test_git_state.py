"""The commit of a source is read, and nothing that its repository names is run."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from modules.scripts.git_state import git_state

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *words: str) -> None:
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    told = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run(
        ["git", "-C", str(folder), *told, *words],
        check=True,
        capture_output=True,
        env={**os.environ, **own},
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "train.py").write_text("print(1)\n", encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    git(folder, "remote", "add", "origin", "https://user:word@localhost/x.git")
    return folder


def _is_dirty(folder: Path) -> bool | None:
    state = git_state(folder)
    assert state is not None
    return state["dirty"]


def test_commit_remote_and_changes_are_told(repository: Path, tmp_path: Path) -> None:
    told = git_state(repository)
    assert told is not None
    assert (told["dirty"], told["remote"]) == (False, "https://localhost/x.git")
    (repository / "new.py").touch()
    assert _is_dirty(repository) is True
    assert git_state(tmp_path) is None


def test_no_program_of_the_repository_is_run(repository: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    touch = f"touch {ran}; cat"
    for name in ("filter.x.clean", "filter.x.smudge", "filter.x.process", "diff.x.textconv"):
        git(repository, "config", name, touch)
    git(repository, "config", "filter.x.required", "true")
    git(repository, "config", "diff.external", touch)
    git(repository, "config", "core.fsmonitor", touch)
    (repository / ".gitattributes").write_text("*.py filter=x diff=x\n", encoding="utf-8")
    path = repository / "train.py"
    path.write_text("print(2)\n", encoding="utf-8")
    os.utime(path, (1, 1))
    assert _is_dirty(repository) is True
    assert not ran.exists()

    git(repository, "config", "filter.a=b.clean", touch)
    (repository / ".gitattributes").write_text("*.py filter=a=b\n", encoding="utf-8")
    assert _is_dirty(repository) is None
    assert not ran.exists()

    git(repository, "config", "core.fsmonitor", "false")
    git(repository, "config", "--unset", "filter.x.process")
    (repository / ".gitattributes").write_text("*.py filter=x\n", encoding="utf-8")
    git(repository, "status")
    assert ran.exists(), "git itself would have run it"
