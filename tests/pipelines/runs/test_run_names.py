"""Runs are called by what changed since the one before, else by their number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from modules.catalog import builtin_catalog
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.expansion import expanded
from pipelines.runs.run_names import MAX_NAME, name_of_change, numbered_name
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.store.database.history import RunIndex
from tests.pipelines.conftest import build
from tests.pipelines.document.nested_pipeline import nested

CATALOG = builtin_catalog()


def pipeline(
    *, settings: dict[str, Any] | None = None, **nodes: dict[str, Any]
) -> PipelineDocument:
    written = [{"id": node_id, **facts} for node_id, facts in nodes.items()]
    content = {"format": "pipeline-designer/1", "id": "p", "nodes": written}
    return parse_document({**content, "settings": settings or {}})


def train(**parameters: Any) -> dict[str, Any]:
    return {"module": "train_pytorch_model", "parameters": parameters}


def changed(old: PipelineDocument, new: PipelineDocument) -> str | None:
    return name_of_change(old, new, CATALOG)


def test_nodes_inside_sub_pipelines_are_compared_by_their_paths() -> None:
    before, after = expanded(nested()), expanded(nested(name="Another"))
    assert any("/" in node.id for node in before.nodes)
    assert changed(before, after) is None


def test_a_parameter_that_changed_is_the_name() -> None:
    default = pipeline(train=train())
    assert (
        changed(pipeline(train=train(epochs=4)), pipeline(train=train(epochs=8))) == "epochs 4 → 8"
    )
    assert changed(default, pipeline(train=train(epochs=7))) == "epochs 5 → 7"
    assert changed(pipeline(train=train(epochs=7)), default) == "epochs 7 → 5"
    assert changed(default, pipeline(train=train(epochs=5))) is None
    several = train(epochs=1, batch_size=2, learning_rate=0.5, patience=9)
    name = changed(default, pipeline(train=several))
    assert name is not None
    assert name.endswith(" and 1 more")
    assert "epochs 5 → 1" in name


def test_the_same_of_two_nodes_is_told_apart() -> None:
    before = pipeline(one={**train(), "title": "One"}, two={**train(), "title": "Two"})
    after = pipeline(
        one={**train(epochs=1), "title": "One"}, two={**train(epochs=2), "title": "Two"}
    )
    assert changed(before, after) == "One · Epochs 5 → 1, Two · Epochs 5 → 2"


def test_nodes_that_came_and_went() -> None:
    none, dense, resnet = (
        pipeline(train=train(), **other)
        for other in ({}, {"d": {"module": "densenet"}}, {"r": {"module": "resnet"}})
    )
    assert changed(none, dense) == "with DenseNet"
    assert changed(dense, none) == "without DenseNet"
    assert changed(dense, resnet) == "DenseNet → ResNet"
    off = pipeline(train={**train(), "disabled": True})
    assert changed(none, off) == "Train PyTorch Model off"


def test_what_changes_no_result_is_no_name() -> None:
    plain = pipeline(train=train())
    dressed = pipeline(
        train={**train(), "title": "T", "comment": "C", "position": {"x": 1, "y": 2}},
    )
    assert changed(plain, dressed) is None
    retried = {**train(), "run_settings": {"retries": 2, "regenerate_output": True}}
    assert changed(plain, pipeline(train=retried)) is None
    seeded = pipeline(settings={"random_seed": 7}, train=train())
    assert changed(plain, seeded) == "random seed none → 7"
    processes = {**train(), "run_settings": {"process_count_per_node": 2}}
    assert changed(plain, pipeline(train=processes)) == "process count per node 1 → 2"


def test_names_stay_short() -> None:
    before = pipeline(a={"module": "gone", "parameters": {"x": "a" * 500, "y" * 60: True}})
    after = pipeline(a={"module": "gone", "parameters": {"x": "b" * 500, "y" * 60: False}})
    assert changed(before, after) == f"different x, {'y' * 60} off"
    crowd = pipeline(**{f"n{i}": {"module": "m" * 64} for i in range(9)})
    name = changed(pipeline(), crowd)
    assert name is not None
    assert len(name) <= MAX_NAME
    assert name.endswith(" and 6 more")


@pytest.mark.parametrize(
    ("earlier", "count", "name"),
    [([], 0, "Run 1"), (["epochs 4 → 8"], 1, "Run 2"), (["Run 9", "Run x"], 2, "Run 10")],
)
def test_numbers_go_on(earlier: list[str], count: int, name: str) -> None:
    assert numbered_name(earlier, count) == name


def test_a_submitted_run_is_named_against_the_one_before(runs: RunService) -> None:
    def document(value: float) -> PipelineDocument:
        nodes: dict[str, dict[str, Any]] = {
            "two": {"module": "constant", "value": value},
            "sum": {"module": "add"},
        }
        return build({"sum": {"a": "two", "b": "two"}}, nodes)

    mine = RunRequest(document(2.0), pipeline_id="mine")
    requests = [
        mine,
        mine,
        replace(mine, document=document(3.0)),
        replace(mine, name="Mine"),
        RunRequest(document(5.0)),
        replace(mine, document=document(4.0), only=("two",)),
    ]
    ids = [runs.submit(request) for request in requests]
    rows = RunIndex(runs.database).rows(ids)
    assert [row.name for row in rows] == [
        "Run 1",
        "Run 2",
        "value 2 → 3",
        "Mine",
        "value 2 → 5",  # of no saved pipeline: the experiment's newest run counts
        "Run 5",  # a part of the pipeline lacks what was not asked for
    ]
