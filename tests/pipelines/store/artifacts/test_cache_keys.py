"""Keys: equal for what gives the same output, different for everything that may change it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.parameters import parameters_in_key
from pipelines.execution.plan import make_plan
from pipelines.store.artifacts.cache_keys import canonical_json, step_key
from tests import toy
from tests.pipelines.conftest import build

KEY_OF_TWO = "7048cfde4db62ddef31cd47dd05e7afe5564d0facb57073073db9eb509c156b4"
"""In every workspace there is: what was computed with it stays in use."""
values = st.floats(-1e9, 1e9, allow_nan=False)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def key_of(value: float, **facts: Any) -> str:
    return step_key(toy.constant, toy.ConstantParameters(value=value), {}, **facts)


@given(values, values)
def test_keys_are_equal_exactly_for_equal_parameters(one: float, other: float) -> None:
    assert (key_of(one) == key_of(other)) == (one == other and str(one) == str(other))


@given(st.text(), st.text())
def test_keys_depend_on_source_and_code(one: str, other: str) -> None:
    assert (key_of(1.0, fingerprint=one) == key_of(1.0, fingerprint=other)) == (one == other)
    assert (key_of(1.0, code_hash=one) == key_of(1.0, code_hash=other)) == (one == other)
    assert key_of(1.0, fingerprint=one) != key_of(1.0, code_hash=one)


def test_world_size_counts_only_for_distributed_modules() -> None:
    distributed = replace(toy.constant, distributed=True)
    parameters = toy.ConstantParameters()
    alone, four = (step_key(distributed, parameters, {}, world_size=n) for n in (1, 4))
    assert alone != four
    assert step_key(distributed, parameters, {}) == alone
    assert key_of(1.0, world_size=1) == key_of(1.0, world_size=4)


def test_module_id_and_version_count() -> None:
    parameters = toy.ConstantParameters()
    keys = {
        step_key(changed, parameters, {})
        for changed in (
            toy.constant,
            replace(toy.constant, version=2),
            replace(toy.constant, id="x"),
        )
    }
    assert len(keys) == 3


def test_other_results_count_and_the_first_ones_keep_their_keys() -> None:
    parameters = toy.ConstantParameters(value=2)
    renewed = step_key(replace(toy.constant, results_version=2), parameters, {})
    assert renewed != key_of(2) == KEY_OF_TWO


def test_parameters_that_are_newer_than_results_count_once_they_are_set() -> None:
    def key(**values: Any) -> str:
        return step_key(convert_to_image_directory, ConvertParameters(**values), {})

    old = {"class_from": "folder name", "part": "whole", "on_unreadable_image": "skip and list"}
    assert parameters_in_key(ConvertParameters()) == old
    assert key() != key(label_column="breed") != key(file_column="breed")


def test_library_versions_count() -> None:
    parameters = toy.ConstantParameters()
    with_torch = replace(toy.constant, libraries=("torch",))
    assert step_key(with_torch, parameters, {}) != step_key(toy.constant, parameters, {})


@given(json_values)
def test_canonical_json_has_one_spelling(value: Any) -> None:
    shuffled = dict(reversed(value.items())) if isinstance(value, dict) else value
    assert canonical_json(value) == canonical_json(shuffled)


@given(st.lists(values, min_size=1, max_size=6), st.integers(0, 5), values)
def test_a_change_moves_the_keys_downstream_and_no_others(
    numbers: list[float], place: int, new: float
) -> None:
    place %= len(numbers)
    before, after = chain(numbers), chain([*numbers[:place], new, *numbers[place + 1 :]])
    for index in range(len(numbers)):
        same = before[f"c{index}"] == after[f"c{index}"]
        assert same == (index != place or str(numbers[place]) == str(new))
        downstream = index >= place and str(numbers[place]) != str(new)
        assert (before[f"s{index}"] == after[f"s{index}"]) == (not downstream)


def test_keys_do_not_depend_on_collapsed_nodes() -> None:
    plain = chain([1.0, 2.0])
    assert chain([1.0, 2.0], collapsed=True) == plain


def chain(numbers: list[float], collapsed: bool = False) -> dict[str, str]:
    """Keys of constants ``c<i>`` added up one after another in ``s<i>``."""
    nodes: dict[str, dict[str, Any]] = {}
    links: dict[str, dict[str, str]] = {}
    for index, number in enumerate(numbers):
        nodes[f"c{index}"] = {"module": "constant", "value": number}
        nodes[f"s{index}"] = {"module": "add"}
        links[f"s{index}"] = {"a": f"c{index}", "b": f"s{index - 1}" if index else "c0"}
    document = build(links, nodes)
    shown = [node.model_copy(update={"collapsed": collapsed}) for node in document.nodes]
    document = document.model_copy(update={"nodes": tuple(shown)})
    plan = make_plan(document, toy.CATALOG, lambda *_: "")
    return {node: step.key for node, step in plan.items()}
