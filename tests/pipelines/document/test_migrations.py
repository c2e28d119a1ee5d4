"""Older documents become new ones, and nodes of replaced modules find their successor."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.document.document import FORMAT, parse_document
from pipelines.document.migrations import CURRENT, STEPS, Replacement, migrate, resolve_replaced
from pipelines.problems import PipelineError
from tests.pipelines.document import cases

CASES = cases.load("migrations.json")


@pytest.mark.parametrize("case", cases.named(CASES["migrated"]))
def test_older_documents_are_migrated(case: dict[str, Any]) -> None:
    assert parse_document(case["given"]) == parse_document(case["expect"])


@pytest.mark.parametrize("case", cases.named(CASES["refused"]))
def test_what_cannot_be_migrated_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(PipelineError) as caught:
        parse_document(case["given"])
    assert sorted({problem.code for problem in caught.value.problems}) == case["problems"]


@pytest.mark.parametrize("case", cases.named(CASES["replaced"]))
def test_replaced_modules_have_their_present_names(case: dict[str, Any]) -> None:
    table = tuple(Replacement(**replacement) for replacement in case["replacements"])
    assert resolve_replaced(case["given"], table) == case["expect"]


def test_every_step_leads_to_the_current_format() -> None:
    assert CURRENT == FORMAT
    for written in STEPS:
        assert migrate({"format": written})["format"] == CURRENT


rough = st.recursive(
    st.none() | st.integers() | st.sampled_from(["a", "a.b", "a/a.b", "definition:a", "."]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "x", "nodes", "module", "port", "binds"]), inner)
    ),
    max_leaves=8,
)


parts = dict.fromkeys(("nodes", "links", "id", "parameters", "definitions"), rough)


@given(st.fixed_dictionaries({}, optional=parts))
def test_steps_trust_nothing(content: dict[str, Any]) -> None:
    table = (Replacement("a", 1, "b", 1, {"x": "y"}, {"output": "result"}),)
    for written in STEPS:
        assert migrate({**content, "format": written})["format"] == CURRENT
    resolve_replaced(content, table)
