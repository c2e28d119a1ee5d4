"""Where runs come from, and where they ran."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from pipelines.execution import environment
from pipelines.execution.environment import commit_of, describe_environment
from pipelines.runs.history import RunHistory
from pipelines.runs.run_service import RunService
from pipelines.store.database.lineage import Lineage, environment_of, lineage_of
from tests.pipelines.conftest import build, run

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DOCUMENT = build(
    {"sum": {"a": "two", "b": "two"}}, {"two": {"module": "constant"}, "sum": {"module": "add"}}
)


def test_a_run_knows_its_relations(runs: RunService) -> None:
    first, _ = run(runs, DOCUMENT, name="first")
    assert lineage_of(runs.database, first) == Lineage()
    second = RunHistory(runs).resubmit(first)
    for _ in runs.follow(second):
        continue
    came = lineage_of(runs.database, second)
    [repeats] = came.repeats
    [reused] = came.reused_from
    assert (repeats.run_id, repeats.name, repeats.status) == (first, "first", "completed")
    assert (reused.run_id, sorted(reused.nodes)) == (first, ["sum", "two"])
    went = lineage_of(runs.database, first)
    assert [link.run_id for link in went.repeated_by] == [second]
    assert sorted(went.reused_by[0].nodes) == ["sum", "two"]
    RunHistory(runs).delete(first)
    [gone] = lineage_of(runs.database, second).repeats
    assert (gone.run_id, gone.name, gone.status) == (first, None, None)


def test_where_a_run_ran_is_written_down(runs: RunService) -> None:
    run_id, _ = run(runs, DOCUMENT)
    result = environment_of(runs.database, run_id)
    assert result is not None
    assert result["python"] == platform.python_version()
    assert result["cores"] >= 1
    assert "torch" in result["libraries"]
    assert environment_of(runs.database, "20200101-000000-0000") is None


def test_the_processor_is_described_by_its_model_name(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "processor\t: 0\nmodel name\t: Fast 9000: Turbo\nmodel name\t: Fast 9000: Turbo\n"
    monkeypatch.setattr(environment, "processor_description", lambda: lines)
    assert describe_environment()["processor"] == "Fast 9000: Turbo"


def test_the_commit_of_a_checkout_is_read_without_git(tmp_path: Path) -> None:
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    assert commit_of(tmp_path) is None
    (git / "HEAD").write_text(COMMIT, encoding="ascii")
    assert commit_of(tmp_path) == COMMIT
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
    (git / "packed-refs").write_text(f"# pack\n{COMMIT} refs/heads/main\n", encoding="utf-8")
    assert commit_of(tmp_path) == COMMIT
    (git / "refs" / "heads" / "main").write_text("not a commit", encoding="ascii")
    assert commit_of(tmp_path) is None
    worktree = tmp_path / "worktree"
    worktree.mkdir()
    (worktree / ".git").write_text(f"gitdir: {git}\n", encoding="utf-8")
    (git / "refs" / "heads" / "main").write_text(COMMIT, encoding="ascii")
    assert commit_of(worktree) == COMMIT
