"""The one number a run is judged by: chosen, kept, inherited, and which of several is best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import event, update

from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.errors import PipelineNotFoundError
from pipelines.events import Event
from pipelines.runs.columns import RunColumns
from pipelines.runs.comparison import compare
from pipelines.runs.headline import (
    HeadlineChoice,
    best_of,
    figure_of,
    figures_of,
    headline_of,
    main_curve,
)
from pipelines.runs.history import RunHistory, run_entry
from pipelines.runs.report import run_report
from pipelines.runs.results import headline_in
from pipelines.runs.run_service import RunService
from pipelines.store.database.history import RunFilter
from pipelines.store.database.pipelines import PipelineStore
from pipelines.store.database.run_options import RunOptions
from pipelines.store.database.run_results import CurveSummary
from pipelines.store.database.tables import runs as run_table
from tests.pipelines.conftest import build
from tests.pipelines.document.nested_pipeline import nested
from tests.workspaces import store_without_runner

TEST = {
    "Overall_Accuracy": CurveSummary(0.9, 0.9, 0.9, 1),
    "Log_Loss": CurveSummary(0.3, 0.3, 0.3, 1),
}
TRAINING = {
    "Train loss": CurveSummary(0.2, 0.2, 1.4, 9),
    "Valid loss": CurveSummary(0.7, 0.5, 1.3, 9),
    "Top-1 validation accuracy": CurveSummary(0.8, 0.2, 0.85, 9),
}


def judged(metrics: Mapping[str, Any], **chosen: str) -> tuple[str, str, float] | None:
    headline = headline_of(metrics, HeadlineChoice(**chosen) if chosen else None)
    return None if headline is None else (headline.node, headline.metric, headline.value)


def test_an_evaluation_counts_more_than_a_training() -> None:
    metrics = {"train": TRAINING, "evaluate": TEST}
    assert judged(metrics) == ("evaluate", "Overall_Accuracy", 0.9)
    assert judged(dict(reversed(metrics.items()))) == ("evaluate", "Overall_Accuracy", 0.9)
    assert judged({"first": TEST, "second": {**TEST}}) == ("second", "Overall_Accuracy", 0.9)


def test_of_several_evaluations_the_label_names_the_one() -> None:
    headline = headline_of({"first": TEST, "second": {**TEST}, "train": TRAINING})
    assert headline is not None
    assert headline.label == "Accuracy (second)"
    chosen = headline_of(
        {"first": TEST, "second": TEST}, HeadlineChoice(node="first", metric="Log_Loss")
    )
    assert chosen is not None
    assert chosen.label == "Log loss (first)"
    alone = headline_of({"first": TEST, "train": TRAINING})
    assert alone is not None
    assert alone.label == "Accuracy"


@pytest.mark.parametrize(
    ("summary", "details"),
    [
        ("accuracy 90.0 %, likely 68 to 99 % (14 images)", "likely 68 to 99 % (14 images)"),
        ("accuracy 90.0 %", ""),
        ("90.0 % correct, 14 images scored", ""),
    ],
)
def test_the_details_are_what_the_summary_adds_to_the_value(summary: str, details: str) -> None:
    headline = headline_of({"evaluate": TEST}, node_summaries={"evaluate": summary})
    assert headline is not None
    assert headline.details == details
    assert headline.described == ", ".join(filter(None, ("Accuracy", details)))


def test_else_the_best_epoch_else_the_lowest_loss() -> None:
    assert judged({"train": TRAINING}) == ("train", "Top-1 validation accuracy", 0.85)
    losses = {name: TRAINING[name] for name in ("Train loss", "Valid loss")}
    assert judged({"train": losses}) == ("train", "Valid loss", 0.5)
    assert judged({"train": {"Train loss": TRAINING["Train loss"]}}) == ("train", "Train loss", 0.2)
    assert judged({"own": {"my_loss": CurveSummary(3.0, 2.0, 4.0, 3)}}) == ("own", "my_loss", 2.0)
    assert judged({"own": {"learning rate": CurveSummary(0.1, 0.1, 0.1, 1)}}) is None
    assert judged({}) is None


def test_the_epoch_that_is_kept_counts_for_all_metrics(runs: RunService) -> None:
    from pipelines.store.database.artifacts import ArtifactRecord

    curves = {
        "Valid loss": (0.9, 0.4, 0.6, 0.4, None),
        "Top-1 validation accuracy": (0.5, 0.6, 0.7, 0.65, 0.8),
        "Train loss": (2.0, 1.0, 0.5, 0.25, 0.1),
    }
    maker = ended(runs, *(point for name in curves for point in logged("two", name, *curves[name])))
    points = [
        [name, step, value, 0.0]
        for name, values in curves.items()
        for step, value in enumerate(values, start=1)
    ]
    made = ArtifactRecord("made", "k", maker, "two", 1.0, 1, [], "")
    gone = ArtifactRecord("gone", "g", "x", "two", 1.0, 1, [], "", remembered={"metrics": points})
    for record in (made, gone):
        runs.artifacts.index.add(record)
    reusing = [
        ended(runs, Event("StepReused", "two", {"artifact_id": item, "run_id": "x"}))
        for item in ("made", "gone")
    ]
    for run_id in (maker, *reusing):
        row = RunHistory(runs).row(run_id)
        assert row.results is not None
        figures = {figure.metric: figure.value for figure in figures_of(row.results.metrics)}
        assert figures == {
            "Valid loss": 0.4,
            "Top-1 validation accuracy": 0.6,  # of epoch 2, not the highest
            "Train loss": 1.0,
        }
    metrics = compare(runs, [maker, reusing[0]]).metrics
    assert {metric.metric: metric.values for metric in metrics} == {
        "Valid loss": [0.4, 0.4],
        "Top-1 validation accuracy": [0.6, 0.6],
        "Train loss": [1.0, 1.0],
    }


@pytest.mark.parametrize(
    ("numbers", "more"), [([0.2, 0.1, 0.2, 2], {"node_summaries": {}}), ([0.2, 0.1, 0.2, 2, 1], {})]
)
def test_results_stored_by_an_earlier_version_are_computed_again(
    numbers: list[float], more: dict[str, Any], runs: RunService
) -> None:
    run_id = ended(runs, *logged("two", "Valid loss", 0.9, 0.4), *logged("two", "top", 0.1, 0.2))
    assert RunHistory(runs).row(run_id).results is not None
    earlier = {"metrics": {"two": {"top": numbers}}, "curve": [], "curve_metric": "", **more}
    with runs.database.transaction() as connection:
        connection.execute(update(run_table).values(results=earlier))
    results = RunHistory(runs).row(run_id).results
    assert results is not None
    assert results.metrics["two"]["top"].kept == 0.2
    assert set(results.metrics["two"]) == {"Valid loss", "top"}


def test_what_has_no_value_does_not_count() -> None:
    nan = CurveSummary(None, None, None, 0)
    assert judged({"train": {**TRAINING, "Top-1 validation accuracy": nan}}) == (
        "train",
        "Valid loss",
        0.5,
    )
    assert judged({"train": {"loss": nan}}) is None
    chosen = {"node": "train", "metric": "loss"}
    assert judged({"train": {"loss": nan}, "evaluate": TEST}, **chosen) == (
        "evaluate",
        "Overall_Accuracy",
        0.9,
    )


def test_a_user_chooses_any_metric_of_any_node() -> None:
    metrics = {"train": {**TRAINING, "learning rate": CurveSummary(0.1, 0.1, 0.5, 9)}, "e": TEST}
    assert judged(metrics, node="e", metric="Log_Loss") == ("e", "Log_Loss", 0.3)
    assert judged(metrics, node="train", metric="learning rate") == ("train", "learning rate", 0.1)
    gone = headline_of(metrics, HeadlineChoice(node="gone", metric="Log_Loss"))
    assert gone is not None
    assert (gone.metric, gone.is_chosen) == ("Overall_Accuracy", False)
    assert (gone.label, gone.text, gone.higher_is_better) == ("Accuracy", "90.0 %", True)


def test_the_best_of_several_is_of_one_metric() -> None:
    low, high = ({"e": {"Overall_Accuracy": CurveSummary(v, v, v, 1)}} for v in (0.5, 0.6))
    figures = [figure_of(item, "e", "Overall_Accuracy") for item in (low, high, high)]
    assert best_of(figures[:2]) == 1
    assert best_of([*figures[:2], None]) == 1
    assert best_of(figures) is None  # even
    assert best_of([figures[0], None]) is None
    assert best_of([figures[0], figure_of({"e": TEST}, "e", "Log_Loss")]) is None
    losses = [figure_of({"e": {"loss": CurveSummary(v, v, v, 1)}}, "e", "loss") for v in (3, 2)]
    assert best_of(losses) == 1
    assert [item.metric for item in figures_of({"e": TEST})] == ["Overall_Accuracy", "Log_Loss"]


def test_the_telling_curve_has_more_than_one_point() -> None:
    metrics = {"train": TRAINING, "evaluate": TEST}
    assert main_curve(metrics) == ("train", "Top-1 validation accuracy")
    assert main_curve({"evaluate": TEST}) is None


PAIR = build(
    {"sum": {"a": "two", "b": "two"}},
    {"sum": {"module": "add"}, "two": {"module": "constant", "value": 2.0}},
)


def logged(node: str, name: str, *values: float | None) -> list[Event]:
    return [
        Event("MetricLogged", node, {"name": name, "step": step, "value": value})
        for step, value in enumerate(values, start=1)
    ]


def ended(runs: RunService, *events: Event, finished: bool = True, **options: Any) -> str:
    """A run that logged something, without a runner."""
    run_id = store_without_runner(runs).create(
        PAIR.to_json(), ["two", "sum"], name="run", experiment="E", options=RunOptions(**options)
    )
    over = [Event("RunFinished", data={"status": "completed"})] if finished else []
    runs.store.append_to(run_id, [Event("RunStarted"), *events, *over])
    return run_id


def test_what_a_run_came_to_is_kept_with_it(runs: RunService) -> None:
    run_id = ended(
        runs,
        *logged("two", "Valid loss", 0.9, 0.4, None),
        *logged("sum", "Overall_Accuracy", 0.75),
        *logged("two", "Overall_Accuracy", 0.25),
    )
    history = RunHistory(runs)
    entry = run_entry(history.row(run_id))
    assert entry.headline is not None
    assert entry.headline.node == "sum"  # which comes last, though first in the document
    assert entry.headline.text == "75.0 %"
    assert entry.curve == [0.9, 0.4, None]
    assert run_report(runs, run_id).headline == entry.headline
    assert entry.headline.value == 0.75
    assert entry.headline.details == ""
    runs.store.append_to(run_id, [Event("RunQueued", data={"nodes": ["two", "sum"]})])
    runs.store.append_to(run_id, logged("sum", "Overall_Accuracy", 0.8))
    headline = headline_in(history.row(run_id))
    assert headline is not None
    assert headline.value == 0.8  # it goes on


def test_details_are_kept_with_a_run(runs: RunService) -> None:
    done = Event("StepFinished", "sum", {"artifact_id": None, "summary": "75.0 %, of 4 images"})
    run_id = ended(runs, *logged("sum", "Overall_Accuracy", 0.75), done)
    read = [RunHistory(runs).row(run_id) for _ in range(2)]  # worked out, then stored
    assert read[1].results == read[0].results
    headline = headline_in(read[1])
    assert headline is not None
    assert headline.details == "of 4 images"


def test_a_long_list_reads_no_run_by_itself(runs: RunService) -> None:
    for share in range(30):
        ended(runs, *logged("sum", "Overall_Accuracy", share / 30))
    history = RunHistory(runs)
    first = history.search(RunFilter(), limit=1000)
    statements: list[str] = []

    def note(*arguments: Any) -> None:
        statements.append(arguments[2])

    event.listen(runs.database.engine, "before_cursor_execute", note)
    again = history.search(RunFilter(), limit=1000)
    event.remove(runs.database.engine, "before_cursor_execute", note)
    queries = [statement for statement in statements if statement.startswith("SELECT")]
    assert len(queries) == 4  # how many there are; the runs; their tags; their steps
    assert [headline_in(row) for row in again.rows] == [headline_in(row) for row in first.rows]
    assert not any("metrics.run_id" in query for query in queries)


def test_a_run_under_way_is_looked_at_each_time(runs: RunService) -> None:
    run_id = ended(runs, *logged("two", "loss", 3.0), finished=False)
    history = RunHistory(runs)
    runs.store.append_to(run_id, logged("two", "loss", 3.0, 1.5))
    headline = headline_in(history.row(run_id))
    assert headline is not None
    assert headline.value == 1.5


def test_a_reused_output_brings_its_figures(runs: RunService) -> None:
    from pipelines.store.database.artifacts import ArtifactRecord

    maker = ended(runs, *logged("sum", "Overall_Accuracy", 0.5), *logged("sum", "loss", 2.0, 1.0))
    made = ArtifactRecord("kept", "k", maker, "sum", 1.0, 1, [], "")
    points = [["loss", 1, 4.0, 0.0], ["loss", 2, 3.0, 0.0]]
    artifact_record = ArtifactRecord(
        "told", "t", "gone", "sum", 1.0, 1, [], "", remembered={"metrics": points}
    )
    for record in (made, artifact_record):
        runs.artifacts.index.add(record)
    reusing = [
        ended(runs, Event("StepReused", "sum", {"artifact_id": item, "run_id": "x"}))
        for item in ("kept", "told", "swept")
    ]
    rows = [RunHistory(runs).row(item) for item in reusing]
    headlines = [headline_in(row) for row in rows]
    assert [headline and headline.value for headline in headlines] == [0.5, 3.0, None]
    assert [row.results and list(row.results.curve) for row in rows] == [[2.0, 1.0], [4.0, 3.0], []]


def test_what_was_measured_inside_a_sub_pipeline_counts(runs: RunService) -> None:
    document = nested()
    nodes = [node.id for node in expanded(document).nodes]
    run_id = store_without_runner(runs).create(
        document.to_json(), nodes, name="run", experiment="E", options=RunOptions()
    )
    results = [
        *logged("one", "Train loss", 2.0),
        *logged("front/twice/sum", "Overall_Accuracy", 0.5),
    ]
    over = Event("RunFinished", data={"status": "completed"})
    runs.store.append_to(run_id, [Event("RunStarted"), *results, over])
    headline = headline_in(RunHistory(runs).row(run_id))
    assert headline is not None
    assert (headline.node, headline.text) == ("front/twice/sum", "50.0 %")


def test_the_choice_is_the_pipelines(runs: RunService) -> None:
    store = PipelineStore(runs.database)
    mine = store.create({**PAIR.to_json(), "id": "mine"}).pipeline_id
    logs = [*logged("sum", "Overall_Accuracy", 0.75), *logged("two", "size", 5.0)]
    run_id, other = ended(runs, *logs, pipeline_id=mine), ended(runs, *logs)
    history = RunHistory(runs)
    history.choose_headline(mine, HeadlineChoice(node="two", metric="size"))
    headlines = [headline_in(history.row(item)) for item in (run_id, other)]
    assert [headline and (headline.text, headline.is_chosen) for headline in headlines] == [
        ("5", True),
        ("75.0 %", False),
    ]
    history.choose_headline(mine, None)
    back = headline_in(history.row(run_id))
    assert back is not None
    assert back.text == "75.0 %"
    with pytest.raises(PipelineNotFoundError):
        history.choose_headline("gone", None)


def test_what_a_parameter_of_the_pipeline_gives_to_nodes_inside_is_a_column(
    runs: RunService,
) -> None:
    inner = {"id": "d", "nodes": [{"id": "two", "module": "constant", "parameters": {"value": 1}}]}
    inner["parameters"] = [{"id": "own", "default": 1, "binds": ["two.value"]}]
    ids = []
    for value in (10, 20):
        whole = {
            "nodes": [{"id": "front", "module": "definition:d"}],
            "definitions": [inner],
            "parameters": [{"id": "given", "default": value, "binds": ["front.own"]}],
        }
        document = parse_document({"format": "pipeline-designer/2", "id": "x", **whole})
        stored = document.to_json()
        ids.append(
            store_without_runner(runs).create(stored, ["front/two"], name="n", experiment="e")
        )
    rows = [RunHistory(runs).row(run_id) for run_id in ids]
    columns = RunColumns(runs)
    assert [item.key for item in columns.available(rows)] == ["parameter:constant.value"]
    assert columns.values(rows, ["parameter:constant.value"]) == [[10], [20]]


def test_metrics_and_differing_parameters_are_columns(runs: RunService) -> None:
    other = PAIR.to_json()
    other["nodes"] = [
        {**node, "parameters": {"value": 3.0} if node["id"] == "two" else {}}
        for node in other["nodes"]
    ]
    first = ended(runs, *logged("sum", "Log_Loss", 0.5))
    second = store_without_runner(runs).create(other, ["two", "sum"], name="b", experiment="E")
    rows = RunHistory(runs).index.rows([first, second])
    rows = [RunHistory(runs).row(row.id) for row in rows]
    columns = RunColumns(runs).available(rows)
    assert [(column.key, column.label) for column in columns] == [
        ("metric:Log_Loss", "Log loss"),
        ("parameter:constant.value", "value"),
    ]
    keys = ["parameter:constant.value", "metric:Log_Loss", "metric:gone", "nonsense"]
    assert RunColumns(runs).values(rows, keys) == [
        [2.0, 0.5, None, None],
        [3.0, None, None, None],
    ]
