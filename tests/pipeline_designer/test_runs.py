"""Runs that scripts start: real ones, with their ends, outputs and mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline_designer import Pipeline, PipelineError, RunFailedError, Workspace
from pipeline_designer import modules as modules_of_users
from pipelines.errors import NotFoundError, RefusedError
from tests.toy import Number

m: Any = modules_of_users
"""The toy modules are not among the built-in ones that type checkers know."""


def test_a_pipeline_is_checked_run_and_read(toys: Workspace, tmp_path: Path) -> None:
    with Pipeline("sums", workspace=toys) as p:
        two = m.constant(value=2.0)
        sum = m.add(a=two, b=two)
    assert p.check().is_valid
    run = p.run(wait=True, name="From a script")
    assert run.status == "completed"
    assert run.report.name == "From a script"
    output = run.output("sum")
    assert output.type == "Number"
    assert Number(output.file("number.json").parent).value == 4.0
    assert (output.download(tmp_path / "sum") / "number.json").is_file()
    with pytest.raises(FileExistsError):
        output.download(tmp_path / "sum")
    assert toys.run("last").id == run.id == toys.runs()[0].id
    assert run.document.nodes == p.document.nodes
    assert "completed" in repr(run)
    assert repr(sum) == "<node sum>"


def test_problems_are_listed_and_a_run_is_refused(toys: Workspace) -> None:
    with Pipeline("sums", workspace=toys) as p:
        m.add(id="sum")
    problems = p.check()
    assert not problems.is_valid
    assert {problem.node for problem in problems} == {"sum"}
    assert "error sum" in repr(problems)
    with pytest.raises(PipelineError, match="sum"):
        p.run()


def test_a_failure_is_an_error_that_keeps_the_run(toys: Workspace) -> None:
    with Pipeline("broken", workspace=toys) as p:
        one = m.constant()
        m.fail(id="broken", message="It broke", a=one)
    with pytest.raises(RunFailedError, match="It broke") as caught:
        p.run(wait=True)
    failed = caught.value.run
    assert failed.status == "failed"
    assert failed.output("one").type == "Number"
    with pytest.raises(NotFoundError, match="no output in this run"):
        failed.output("broken")
    with pytest.raises(NotFoundError, match="has no model"):
        failed.model()


def test_a_run_that_is_not_awaited_continues_and_can_be_cancelled(toys: Workspace) -> None:
    with Pipeline("slow", workspace=toys) as p:
        one = m.constant()
        m.sleep(id="slow", a=one, seconds=300)
    run = p.run()
    with pytest.raises(TimeoutError, match="has not ended in time"):
        run.wait(timeout=0.5)
    run.cancel()
    with pytest.raises(RunFailedError, match="cancelled"):
        run.wait()
    assert run.status == "cancelled"


def test_outputs_without_a_table_say_so(toys: Workspace) -> None:
    with Pipeline("one", workspace=toys) as p:
        m.constant(id="one")
    output = p.run(wait=True).output("one", "output")
    assert output.files == ["number.json"]
    with pytest.raises(RefusedError, match="no default table"):
        output.table()
    with pytest.raises(RefusedError, match="no confusion matrix"):
        output.matrix()
    for outside in ("../../../designer.db", "/etc/passwd", "gone.json"):
        with pytest.raises(NotFoundError):
            output.file(outside)


def test_a_missing_output_names_the_others(toys: Workspace) -> None:
    with Pipeline("one", workspace=toys) as p:
        m.constant(id="one")
    run = p.run(wait=True)
    with pytest.raises(NotFoundError, match="Choose one of output"):
        run.output("one", "result")
    with pytest.raises(NotFoundError, match="Did you mean 'one'"):
        run.output("oen")


def test_a_workspace_is_opened_when_it_is_needed(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with Pipeline("x", workspace=Workspace(folder)) as p:
        modules_of_users.densenet(id="net", pretrained=False)
    assert not folder.exists()
    assert not p.check().is_valid or folder.exists()
