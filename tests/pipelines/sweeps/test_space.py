"""Spaces are parsed, counted, enumerated and drawn from."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.search.spaces import (
    combination,
    drawn,
    num_combinations,
    space_text,
    values_text,
)
from pipelines.document.document import parse_document
from pipelines.document.settings import SweepSpace
from pipelines.errors import RefusedError
from pipelines.problems import PipelineError
from pipelines.sweeps.space import TrialShare, parsed_space, parsed_spaces, with_shares, with_values
from tests.pipelines.sweeps.conftest import CATALOG, SCORE, between, choices, curve
from tests.pipelines.sweeps.sweeping import problems


def space(**values: Any) -> SweepSpace:
    return SweepSpace.model_validate(values)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("4,8,16", choices(4, 8, 16)),
        ("0.5", choices(0.5)),
        ("true,false,null", choices(True, False, None)),
        ("[[1,2],[3]]", choices([1, 2], [3])),
        ("0.1..0.9", between(0.1, 0.9)),
        ("-1..1", between(-1, 1)),
        (".5..1.", between(0.5, 1)),
        ("1..2", between(1, 2)),
        ("1e-3..1e-1:log", between(1e-3, 1e-1, "log")),
        ("0.001..1E2:log", between(1e-3, 1e2, "log")),
        ("1..9:int", between(1, 9, "integer")),
        ("0.1..0.9:linear", between(0.1, 0.9)),
    ],
)
def test_spaces_of_the_command_line(text: str, values: dict[str, Any]) -> None:
    parsed = parsed_space(text)
    assert parsed == space(**values)
    assert parsed_space(space_text(parsed)) == parsed


@pytest.mark.parametrize(
    "text",
    [
        "curve.x",
        "x=1,2",
        "=1",
        "curve.=1",
        "curve.x=1..",
        "curve.x=..2",
        "curve.x=1..2:cubic",
        "curve.x=1..2..3",
        "curve.x=one,two",
        "curve.x=1,,2",
        "curve.x=[1,2",
        "curve.x=1e999..2",
        "curve.x=NaN",
        "curve.x=" + "1," * 15_000,
        "curve.x=" + ",".join(map(str, range(1001))),
        "curve.x=\x00",
    ],
)
def test_text_that_is_no_space(text: str) -> None:
    with pytest.raises(RefusedError) as caught:
        parsed_spaces([text], curve(), CATALOG)
    assert "1e-3..1e-1:log" in caught.value.cure


def test_text_parameters_take_plain_text() -> None:
    spaces = parsed_spaces(["curve.label=1..2,b c"], curve(), CATALOG)
    assert spaces["curve.label"].choices == ("1..2", "b c")


@pytest.mark.parametrize("end", [float("inf"), float("-inf"), float("nan"), "9", True, 10**400])
def test_ends_that_are_no_finite_numbers_are_refused(end: Any) -> None:
    with pytest.raises(PipelineError):
        curve({"parameters": {"curve.x": {"kind": "linear", "low": 0, "high": end}}})


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_a_grid_has_every_combination_once(sizes: list[int]) -> None:
    spaces = {f"n.p{i}": space(**choices(*range(size))) for i, size in enumerate(sizes)}
    spaces["n.whole"] = space(**between(-1, 1, "integer"))
    count = num_combinations(spaces)
    assert count == 3 * math.prod(sizes)
    made = [combination(spaces, number) for number in range(count)]
    assert len({tuple(values.items()) for values in made}) == count
    assert all(list(values) == list(spaces) for values in made)


def test_draws_stay_within_their_ends_and_are_even_in_the_logarithm() -> None:
    spaces = {"n.a": space(**between(1e-4, 1, "log")), "n.b": space(**between(2, 4, "integer"))}
    generator = random.Random(1)
    drawn_values = [drawn(spaces, generator) for _ in range(2000)]
    logs = [float(str(values["n.a"])) for values in drawn_values]
    assert all(1e-4 <= value <= 1 for value in logs)
    assert 0.4 < sum(value < 1e-2 for value in logs) / 2000 < 0.6
    assert {values["n.b"] for values in drawn_values} == {2, 3, 4}
    assert num_combinations(spaces) is None


def test_values_are_put_into_a_document_without_its_sweep() -> None:
    document = curve({"parameters": {"curve.x": choices(1, 2)}}, y=1.5)
    changed = with_values(document, {"curve.x": 2, "base.value": 4})
    assert changed.settings.sweep is None
    assert changed.nodes[0].parameters == {"value": 4}
    assert changed.nodes[1].parameters == {"y": 1.5, "x": 2}
    assert values_text({"curve.x": 0.123456, "a.y": 2, "b.y": "s"}) == "x 0.1235, a.y 2, b.y s"


def test_cores_are_limited_where_trainings_of_this_machine_set_no_limit() -> None:
    from modules.catalog import builtin_catalog

    nodes: list[dict[str, Any]] = [
        {"id": "a", "module": "train_pytorch_model"},
        {"id": "b", "module": "train_pytorch_model", "run_settings": {"cores_per_process": 3}},
        {"id": "c", "module": "train_pytorch_model", "run_settings": {"target": "far"}},
        {"id": "d", "module": "import_images"},
    ]
    content = {"format": "pipeline-designer/2", "id": "p", "nodes": nodes}
    share = TrialShare(num_trials=2, num_cores=2, num_gpus=0)
    limited = with_shares(parse_document(content), share, builtin_catalog(), {"far"})
    assert [node.run_settings.cores_per_process for node in limited.nodes] == [1, 3, None, None]
    assert all(node.run_settings.steps_per_gpu is None for node in limited.nodes)


def gpu_shares(num_trials: int, num_gpus: int, *settings: dict[str, Any]) -> list[int | None]:
    from modules.catalog import builtin_catalog

    module = "train_pytorch_model"
    nodes = [
        {"id": f"n{number}", "module": module, "run_settings": own}
        for number, own in enumerate(settings)
    ]
    content = {"format": "pipeline-designer/2", "id": "p", "nodes": nodes}
    share = TrialShare(num_trials, num_cores=16, num_gpus=num_gpus)
    limited = with_shares(parse_document(content), share, builtin_catalog(), {"far"})
    return [node.run_settings.steps_per_gpu for node in limited.nodes]


@pytest.mark.parametrize(
    ("num_trials", "num_gpus", "steps"),
    [(2, 0, None), (2, 2, None), (2, 4, None), (2, 1, 2), (3, 2, 2), (4, 2, 2), (5, 2, 3)],
)
def test_trials_share_gpus_if_there_are_fewer(
    num_trials: int, num_gpus: int, steps: int | None
) -> None:
    assert gpu_shares(num_trials, num_gpus, {}) == [steps]


def test_trials_of_several_processes_share_all_their_gpus() -> None:
    two, four = {"process_count_per_node": 2}, {"node_count": 2, "process_count_per_node": 2}
    assert gpu_shares(3, 4, two, four) == [2, 3]
    assert gpu_shares(3, 3, two, four) == [3, 3]
    assert gpu_shares(2, 1, four) == [2]


def test_a_chosen_number_of_steps_per_gpu_is_kept_and_the_number_has_a_limit() -> None:
    chosen, elsewhere = {"steps_per_gpu": 1}, {"target": "far"}
    assert gpu_shares(40, 1, chosen, elsewhere, {}) == [1, None, 16]


@pytest.mark.parametrize(("target", "steps"), [(None, 2), ("local", 2), ("far", None)])
def test_trainings_in_sub_pipelines_share_unless_they_may_run_elsewhere(
    target: str | None, steps: int | None
) -> None:
    from modules.catalog import builtin_catalog

    inner = [{"id": "train", "module": "train_pytorch_model"}]
    outer = {"id": "front", "module": "definition:d", "run_settings": {"target": target}}
    content = {
        "format": "pipeline-designer/2",
        "id": "p",
        "nodes": [outer],
        "definitions": [{"id": "d", "nodes": inner}],
    }
    share = TrialShare(num_trials=2, num_cores=2, num_gpus=1)
    limited = with_shares(parse_document(content), share, builtin_catalog(), {"far"})
    assert limited.definitions[0].nodes[0].run_settings.steps_per_gpu == steps


@pytest.mark.parametrize(
    ("place", "values", "says"),
    [
        ("curve.x", choices(), "no values for curve.x"),
        ("curve.x", choices(1, 1), "has the value 1 for curve.x twice"),
        ("curve.x", {"kind": "linear", "low": 1}, "no upper end"),
        ("curve.x", {"kind": "log", "high": 1}, "no lower end"),
        ("curve.x", {"kind": "integer"}, "no lower end"),
        ("curve.x", between(2, 1), "2 is not below 1"),
        ("curve.x", between(1, 1), "1 is not below 1"),
        ("curve.x", between(0, 1, "log"), "starts at 0"),
        ("curve.x", between(1.5, 3, "integer"), "ends at 1.5"),
        ("curve.x", between(1, 1e30, "integer"), "ends at 1e+30, beyond"),
        ("curve.x", between(-1e300, 1), "ends at -1e+300, beyond"),
        ("curve.x", between(0, 11), "X cannot be 11"),
        ("curve.x", choices(1, "two"), "X"),
        ("curve.epochs", between(1, 9), "Epochs takes whole numbers"),
        ("curve.epochs", between(0, 9, "integer"), "Epochs cannot be 0"),
        ("curve.kind", choices("bowl", "square"), "Kind"),
        ("curve.z", choices(1), "has no parameter 'z'"),
        ("curved.x", choices(1), "there is no node 'curved'"),
        ("curve/inner.x", choices(1), "inside a sub-pipeline"),
    ],
)
def test_spaces_that_do_not_fit(place: str, values: dict[str, Any], says: str) -> None:
    [message] = problems({"parameters": {place: values}})
    assert says in message


def test_objectives_that_do_not_fit() -> None:
    fitting = {"parameters": {"curve.x": choices(1, 2)}}
    assert problems(fitting) == []
    assert problems({**fitting, "objective": SCORE}) == []
    [message] = problems({**fitting, "objective": {**SCORE, "node": "nobody"}})
    assert "'nobody'" in message
    [message] = problems({**fitting, "pruning": {"kind": "median"}})
    assert "needs a metric" in message
    [message] = problems({})
    assert "varies no parameter" in message


def test_a_problem_of_the_canvas_is_not_repeated() -> None:
    assert problems({"parameters": {"curve.y": choices(1, 2)}}, x=99) == []
