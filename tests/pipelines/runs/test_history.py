"""The history of runs: found, named, repeated; deleting one never breaks another."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text as sql

from modules.artifacts import read_json
from pipelines.document.document import parse_document
from pipelines.errors import RunUnderWayError
from pipelines.events import Event
from pipelines.problems import PipelineError
from pipelines.runs.history import RunHistory
from pipelines.runs.inherited_metrics import curves_of
from pipelines.runs.report import run_report
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.store.database.connections import Database
from pipelines.store.database.history import RunFilter
from pipelines.store.database.pipelines import PipelineStore
from pipelines.store.database.run_options import RunOptions
from pipelines.store.database.sweeps import SweepStore
from pipelines.workspace import Workspace
from tests.pipelines.conftest import build, finish, run, statuses, value
from tests.pipelines.store.database.older_databases import make_older
from tests.workspaces import store_without_runner

NODES: dict[str, dict[str, Any]] = {
    "two": {"module": "constant", "value": 2.0},
    "sum": {"module": "add"},
}
PAIR = build({"sum": {"a": "two", "b": "two"}}, NODES)


def recorded(runs: RunService, name: str, *, status: str = "completed", **options: Any) -> str:
    """A run that ended without a runner."""
    experiment = options.pop("experiment", "E")
    run_id = store_without_runner(runs).create(
        PAIR.to_json(),
        ["two", "sum"],
        name=name,
        experiment=experiment,
        options=RunOptions(**options),
    )
    runs.store.append_to(run_id, [Event("RunFinished", data={"status": status})])
    return run_id


def names(runs: RunService, limit: int = 50, offset: int = 0, **wanted: Any) -> list[str]:
    page = RunHistory(runs).search(RunFilter(**wanted), limit=limit, offset=offset)
    return [row.name for row in page.rows]


def test_runs_are_found_by_what_is_written_about_them(runs: RunService) -> None:
    first = recorded(runs, "Birds 100%", description="the baseline", pipeline_id="birds")
    recorded(runs, "Cats", status="failed", experiment="F")
    recorded(runs, "Dogs", pipeline_id="dogs")
    RunHistory(runs).tag(first, ["good", "for the talk"])
    RunHistory(runs).note(first, "Learning rate was too high.")
    assert names(runs) == ["Dogs", "Cats", "Birds 100%"]
    assert names(runs, text="bird BASELINE") == ["Birds 100%"]
    assert names(runs, text="%") == ["Birds 100%"]
    assert names(runs, text="talk rate") == ["Birds 100%"]
    assert names(runs, text="birds dogs") == []
    assert names(runs, status=("failed", "cancelled")) == ["Cats"]
    assert names(runs, experiment="F") == ["Cats"]
    assert names(runs, pipeline_id="dogs") == ["Dogs"]
    assert names(runs, tags=("good", "for the talk")) == ["Birds 100%"]
    assert names(runs, tags=("good", "bad")) == []
    SweepStore(runs.database).add("S", {}, {}, {}, None)
    [sweep] = SweepStore(runs.database).all()
    SweepStore(runs.database).plan(sweep.id, 0, {}, None)
    SweepStore(runs.database).set_trial(sweep.id, 0, run_id=first)
    assert (names(runs, sweep=sweep.id), names(runs, sweep="other")) == (["Birds 100%"], [])
    assert names(runs, since=time.time() + 60) == []
    assert names(runs, until=time.time() + 60) == ["Dogs", "Cats", "Birds 100%"]
    page = RunHistory(runs).search(RunFilter(), limit=2, offset=1)
    assert ([row.name for row in page.rows], page.total) == (["Cats", "Birds 100%"], 3)
    assert (page.rows[0].num_nodes, page.rows[0].num_done) == (2, 0)


def test_names_notes_and_tags_change(runs: RunService) -> None:
    run_id = recorded(runs, "Old")
    assert RunHistory(runs).rename(run_id, "  New ").name == "New"
    assert RunHistory(runs).tag(run_id, ["b", "a", " a "]).tags == ("a", "b")
    assert RunHistory(runs).tag(run_id, ["c"], remove=["a", "unheard of"]).tags == ("b", "c")
    assert RunHistory(runs).tags() == ["b", "c"]
    assert RunHistory(runs).note(run_id, "").note == ""
    for refused in ("", " ", "x" * 201):
        with pytest.raises(ValueError, match="characters"):
            RunHistory(runs).rename(run_id, refused)
    for refused in ("", "a,b", "x" * 61):
        with pytest.raises(ValueError, match="Invalid tag"):
            RunHistory(runs).tag(run_id, [refused])
    with pytest.raises(LookupError):
        RunHistory(runs).note("20200101-000000-ffff", "?")


def test_a_run_is_cloned_to_a_draft_and_submitted_again(runs: RunService) -> None:
    first, _ = run(runs, PAIR, description="why", experiment="E")
    drafts = [RunHistory(runs).clone(first) for _ in range(2)]
    assert [item.pipeline_id for item in drafts] == ["toy", "toy-2"]
    draft = parse_document(PipelineStore(runs.database).latest("toy-2").document)
    assert draft.nodes == PAIR.nodes
    assert first in draft.name
    again = RunHistory(runs).resubmit(first)
    assert set(statuses(finish(runs, again)).values()) == {"reused"}
    row = RunHistory(runs).row(again)
    assert (row.from_run, row.description, row.experiment) == (first, "why", "E")


def test_a_rerun_from_a_node_makes_it_and_what_follows_anew(runs: RunService) -> None:
    first, _ = run(runs, PAIR)
    again = RunHistory(runs).resubmit(first, from_node="sum")
    state = finish(runs, again)
    assert statuses(state) == {"two": "reused", "sum": "completed"}
    record = runs.store.record(again)
    assert record is not None
    assert record.document == PAIR.to_json(), "the frozen graph is the one that was submitted"
    with pytest.raises(PipelineError):
        RunHistory(runs).resubmit(first, from_node="nowhere")


def test_deleting_a_run_never_breaks_one_that_reuses_its_outputs(runs: RunService) -> None:
    first, _ = run(runs, PAIR)
    loss = {"name": "loss", "step": 1, "value": 0.5}
    runs.store.append_to(
        first, [Event("MetricLogged", "sum", loss), Event("StepSummary", "sum", {"text": "four"})]
    )
    second, state = run(runs, PAIR)
    before = run_report(runs, second).nodes["sum"]
    plan = RunHistory(runs).deletion_plan(first)
    assert plan.freed == []
    assert {item.node: item.used_by for item in plan.kept} == {"two": [second], "sum": [second]}
    assert RunHistory(runs).delete(first).is_done
    assert runs.store.record(first) is None
    assert not (runs.workspace.runs_dir / first).exists()
    assert runs.store.events_after(first) == []
    assert run_report(runs, second).nodes["sum"] == before
    assert before.metrics == {"loss": 0.5}
    assert [point.value for point in curves_of(runs, second)["sum"]["loss"]] == [0.5]
    assert value(runs, state, "sum") == 4.0
    _, third = run(runs, PAIR)
    assert set(statuses(third).values()) == {"reused"}
    assert third.steps["sum"].summary == "four"


def test_deleting_the_last_run_frees_exactly_what_was_told(runs: RunService) -> None:
    first, _ = run(runs, PAIR)
    changed = {**NODES, "sum": {"module": "multiply"}}
    second, state = run(runs, build({"sum": {"a": "two", "b": "two"}}, changed))
    plan = RunHistory(runs).deletion_plan(second)
    own = state.steps["sum"].artifact_id
    assert [item.artifact_id for item in plan.freed] == [own]
    assert [item.used_by for item in plan.kept] == [[first]]
    in_folder = sum(
        path.stat().st_size
        for path in (runs.workspace.runs_dir / second).rglob("*")
        if path.is_file()
    )
    assert plan.num_bytes == plan.freed[0].num_bytes + in_folder
    done = RunHistory(runs).delete(second)
    assert (done.freed, done.left_for_gc) == (plan.freed, False)
    assert not (runs.artifacts.root / str(own)).exists()
    with runs.runner.sweeping() as alone:
        assert alone
        assert runs.artifacts.sweep(dry_run=True).num_bytes == 0
    RunHistory(runs).delete(first)
    assert list(runs.artifacts.root.iterdir()) == []
    assert runs.store.experiments() == []


def test_deleting_the_maker_leaves_what_a_derived_output_needs(runs: RunService) -> None:
    """An output that refers to another's files keeps them, however the runs are deleted."""
    (runs.workspace.modules_dir / "pointing.py").write_text(POINTING)
    first, _ = run(runs, build({}, {"files": {"module": "files"}}))
    nodes = {"files": {"module": "files"}, "pointer": {"module": "pointer"}}
    second, state = run(runs, build({"pointer": {"files": "files"}}, nodes))
    RunHistory(runs).delete(first)
    folder = Path(runs.artifacts.outputs(state.steps["pointer"])["output"])
    source = runs.artifacts.root / read_json(folder / "target.json")
    assert (source / "text.txt").read_text() == "text"
    assert runs.artifacts.verify(str(state.steps["pointer"].artifact_id)) == []
    RunHistory(runs).delete(second)
    assert list(runs.artifacts.root.iterdir()) == []


def test_a_run_under_way_is_not_deleted_and_holds_others_outputs(runs: RunService) -> None:
    ended, _ = run(runs, PAIR)
    nap = {"two": {"module": "constant", "value": 9.0}, "nap": {"module": "sleep", "seconds": 60.0}}
    under_way = runs.submit(RunRequest(build({"nap": {"a": "two"}}, nap)))
    with pytest.raises(RunUnderWayError):
        RunHistory(runs).delete(under_way)
    done = RunHistory(runs).delete(ended)
    assert done.left_for_gc
    assert len(done.freed) == 2
    runs.cancel(under_way)
    finish(runs, under_way)
    with runs.runner.sweeping() as alone:
        assert alone
        assert set(runs.artifacts.sweep().artifact_ids) == {e.artifact_id for e in done.freed}


def test_the_folder_of_a_run_that_is_gone_is_swept(runs: RunService) -> None:
    run_id, _ = run(runs, PAIR)
    left = runs.workspace.runs_dir / "20200101-000000-ffff" / "two"
    left.mkdir(parents=True)
    (left / "70_driver_log_0.txt").write_text("x" * 100)
    with runs.runner.sweeping() as alone:
        assert alone
        assert runs.artifacts.sweep().kept_unknown == ["20200101-000000-ffff"]
        swept = runs.artifacts.sweep(takes_unknown=True)
        assert swept.leftovers == ["20200101-000000-ffff"]
    assert [path.name for path in runs.workspace.runs_dir.iterdir()] == [run_id]


def test_runs_of_an_older_workspace_survive_the_migration(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path).make()
    older = Database(workspace.database_url)
    make_older(older, "0002")
    with older.transaction() as connection:
        for statement in OLDER_ROWS:
            connection.execute(sql(statement))
    older.close()
    runs = WorkspaceSession(workspace).runs
    row = RunHistory(runs).row("20200101-000000-abcd")
    assert (row.name, row.note, row.pipeline_id, row.num_nodes) == ("old", "", "birds", 1)
    assert names(runs, pipeline_id="birds") == ["old"]
    runs.database.close()


OLDER_ROWS = (
    "INSERT INTO experiments VALUES (1, 'E', 1.0)",
    "INSERT INTO runs (id, name, experiment_id, status, document, options, created,"
    " cancel_requested) VALUES ('20200101-000000-abcd', 'old', 1, 'completed', '{}',"
    """ '{"pipeline_id"\\: "birds"}', 1.0, 0)""",
    "INSERT INTO steps (run_id, node, status, attempt) VALUES"
    " ('20200101-000000-abcd', 'two', 'completed', 1)",
)

POINTING = '''
from typing import Annotated

from modules.context import Context
from modules.declare import module
from modules.artifacts import Artifact, write_json, read_json
from modules.spec import PortDoc


class Files(Artifact):
    """A file."""


class Pointer(Artifact):
    """Refers to files of another output."""

    @property
    def references(self):
        return frozenset({read_json(self.path / "target.json")})


@module(title="Files", category="Tests", summary="Write a file.")
def files(context: Context) -> Files:
    """Write a file."""
    folder = context.new_folder()
    (folder / "text.txt").write_text("text")
    return Files(folder)


@module(title="Pointer", category="Tests", summary="Refer to it.")
def pointer(files: Annotated[Files, PortDoc("Files.")], context: Context) -> Pointer:
    """Refer to it."""
    folder = context.new_folder()
    write_json(folder / "target.json", files.reference)
    return Pointer(folder)
'''
