"""Both databases take the same values: large, long, and those that JSON has no word for."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from pipelines.events import Event
from pipelines.store.database.artifacts import ArtifactIndex, ArtifactRecord
from pipelines.store.database.connections import Database
from pipelines.store.database.history import RunFilter, RunIndex
from pipelines.store.database.json_texts import dump_json, load_json
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace

LONG = "ü" * 1000
LARGE = 2**40


@pytest.fixture
def database(kept: Workspace) -> Iterator[Database]:
    made = Database.open(kept)
    yield made
    made.close()


def test_an_artifact_of_a_terabyte(database: Database) -> None:
    index = ArtifactIndex(database)
    index.add(ArtifactRecord("i", "k", "r", LONG, 1.0, LARGE, [], "f"))
    entry = index.get("i")
    assert entry is not None
    assert (entry.num_bytes, entry.node) == (LARGE, LONG)


def test_numbers_that_are_none_and_large_steps(database: Database) -> None:
    store = RunStore(database)
    run_id = store.create({}, ["a"], name=LONG, experiment=LONG)
    values = (math.nan, math.inf, -math.inf)
    points = [
        {"name": LONG, "value": value, "step": LARGE + step} for step, value in enumerate(values)
    ]
    store.append_to(run_id, [Event("MetricLogged", "a", point) for point in points])
    assert [point.value for point in store.metrics(run_id)] == [None, math.inf, -math.inf]
    logged = store.events_after(run_id)[1:]
    assert str([event.data["value"] for event in logged]) == "[nan, inf, -inf]"
    assert store.last_values(run_id) == {"a": {LONG: -math.inf}}


@pytest.mark.parametrize("kept", ["postgresql"], indirect=True)
def test_characters_that_postgresql_has_none_for_are_marked(database: Database) -> None:
    store = RunStore(database)
    run_id = store.create({"name": "a\0b\ud800"}, ["a"], name="n\0", experiment="e")
    store.append_to(run_id, [Event("StepSummary", "a", {"text": "x\0y\udc00"})])
    assert store.state(run_id).steps["a"].summary == "x\ufffdy\ufffd"
    page = RunIndex(database).search(RunFilter(text="n"))
    assert [(row.name, row.pipeline_name) for row in page.rows] == [("n\ufffd", "a\ufffdb\ufffd")]


def test_names_sort_by_code_points(database: Database) -> None:
    store = RunStore(database)
    run_id = store.create({}, ["a"], name="n", experiment="e")
    names = ["B", "a", "_", "Z", "é", "b c", "b-c"]
    RunIndex(database).change_tags(run_id, names, [])
    assert RunIndex(database).tags() == sorted(names)


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, math.inf, {"b": -math.inf}]},
        {"text": "\\u0000 ü 🙂"},
        [None, "$number"],
    ],
)
def test_json_is_read_as_it_was_written(value: object) -> None:
    assert load_json(dump_json(value)) == value
    assert load_json(dump_json(value).encode()) == value
