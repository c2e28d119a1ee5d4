"""Documents: what is read, what is refused and in which words, what is written."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.document import document, strict_json
from pipelines.document.document import (
    PipelineDocument,
    compact,
    dump_document,
    json_schema,
    load_document,
    parse_document,
)
from pipelines.problems import PipelineError
from tests.pipelines.document import cases
from tests.toy import CATALOG

CASES = cases.load("documents.json")
SCHEMA_PATH = Path(document.__file__).parents[1] / "schema" / "pipeline-designer-2.json"


def test_scripts_may_import_by_the_earlier_name() -> None:
    assert import_module("pipelines.documents.document") is document


@pytest.mark.parametrize("case", cases.named(CASES["valid"]))
def test_valid_documents_survive_a_round_trip(case: dict[str, Any]) -> None:
    parsed = parse_document(case["document"])
    text = dump_document(parsed)
    assert parse_document(text) == parsed
    assert dump_document(parse_document(text)) == text
    assert _within(case["document"], json.loads(text))


@pytest.mark.parametrize("case", cases.named(CASES["invalid"]))
def test_invalid_documents_are_refused_with_every_problem(case: dict[str, Any]) -> None:
    with pytest.raises(PipelineError) as caught:
        parse_document(case["text"])
    problems = caught.value.problems
    assert [cases.message_of(problem) for problem in problems] == case["problems"]
    assert case["says"] in " ".join(problem.sentence for problem in problems)
    assert all(problem.cure.endswith((".", "?")) for problem in problems)


def test_problems_name_the_node_and_parameter() -> None:
    text = '{"format": "pipeline-designer/2", "id": "a", "nodes": [{"id": "x", "module": "m",'
    with pytest.raises(PipelineError) as caught:
        parse_document(text + '"parameters": {"not a name": 1}}]}')
    assert caught.value.problems[0].node == "x"
    assert caught.value.problems[0].parameter == "not a name"


def test_what_nodes_do_not_say_they_share() -> None:
    nodes = [{"id": item, "module": "split_image_directory"} for item in ("one", "two")]
    content = {"format": "pipeline-designer/2", "id": "p", "name": "P", "nodes": nodes}
    one, two = parse_document({**content, "links": []}).nodes
    assert one.run_settings is two.run_settings


def test_what_is_too_large_or_too_deep_is_refused_quickly() -> None:
    many = f'{{"format": "pipeline-designer/2", "id": "a", "nodes": [{"1," * 600_000}1]}}'
    for text, code in (("[" * 1_000_000, "3021"), (" " * 25_000_001, "3023"), (many, "3023")):
        with pytest.raises(PipelineError) as caught:
            parse_document(text)
        assert [problem.code for problem in caught.value.problems] == [code]


@pytest.mark.parametrize(
    "part", ["9007199254740992", "-1e999", '"\\ud800"', '{"\\udfff": 0}', "[" * 65 + "]" * 65]
)
def test_parsed_text_is_checked_like_values(part: str) -> None:
    text = f'[{{"é": [1, 0.5, true, null, "ß"]}}, {part}]'
    with pytest.raises(PipelineError) as of_text:
        strict_json.parse_checked(text)
    with pytest.raises(PipelineError) as of_values:
        strict_json.checked(json.loads(text))
    assert of_text.value.problems == of_values.value.problems


def test_sound_text_is_returned_as_it_is() -> None:
    text = f'[{{"é": [-9007199254740991, 0.5, true, null, "ß"]}}, {"[" * 62 + "]" * 62}]'
    assert strict_json.parse_checked(text) == json.loads(text)


def test_bytes_of_other_encodings() -> None:
    text = dump_document(parse_document(cases.pipeline("one:constant")))
    assert parse_document(text.encode("utf-8-sig")).id == "sums"
    with pytest.raises(PipelineError, match="not UTF-8"):
        parse_document(text.encode("utf-16"))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "sums.json"
    path.write_text(dump_document(parse_document(cases.pipeline("one:constant"))))
    assert load_document(path).nodes[0].module == "constant"
    for broken in (tmp_path, tmp_path / "gone.json", tmp_path / "a\0b"):
        with pytest.raises(PipelineError, match="Cannot read"):
            load_document(broken)


def test_compact_drops_what_equals_the_default() -> None:
    node = {"id": "one", "module": "constant", "parameters": {"value": 1, "other": 2}}
    flag = {"id": "two", "module": "constant", "parameters": {"value": True}}
    short = compact(parse_document(cases.pipeline(node, flag, "x:teleport")), CATALOG)
    assert short.nodes[0].parameters == {"other": 2}
    assert short.nodes[1].parameters == {"value": True}


def test_whole_numbers_are_written_as_browsers_write_them() -> None:
    node = {"id": "one", "module": "constant", "position": {"x": 640.0, "y": 0.5}}
    assert '"x": 640,' in dump_document(parse_document(cases.pipeline(node)))


def test_the_published_schema_is_that_of_the_model() -> None:
    assert json.loads(SCHEMA_PATH.read_text(encoding="utf-8")) == json_schema(), (
        "Write json_schema() to pipelines/schema/ again."
    )


names = st.from_regex(r"[a-z][a-z0-9_-]{0,20}", fullmatch=True)
identifiers = st.from_regex(r"[a-z_][a-z0-9_]{0,20}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
whole_numbers = st.integers(-(2**53) + 1, 2**53 - 1)
numbers = whole_numbers | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
endpoints: st.SearchStrategy[Any] = st.fixed_dictionaries({"node": names, "port": identifiers})
links: st.SearchStrategy[Any] = st.fixed_dictionaries({"from": endpoints, "to": endpoints})
nodes: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"id": names, "module": identifiers},
    optional={
        "version": st.integers(1, 9),
        "title": st.none() | texts,
        "parameters": st.dictionaries(identifiers, values, max_size=3),
        "position": st.fixed_dictionaries({"x": st.floats(-1e7, 1e7), "y": st.integers(-9, 9)}),
        "comment": texts,
        "disabled": st.booleans(),
    },
)
documents: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "format": st.just("pipeline-designer/2"),
        "id": names,
        "nodes": st.lists(nodes, max_size=4, unique_by=lambda node: node["id"]),
        "links": st.lists(links, max_size=4),
    },
    optional={"name": texts, "description": texts},
)


@given(documents)
def test_any_document_survives_a_round_trip(content: dict[str, Any]) -> None:
    parsed = parse_document(json.dumps(content))
    assert parse_document(dump_document(parsed)) == parsed
    assert compact(compact(parsed, CATALOG), CATALOG) == compact(parsed, CATALOG)
    assert _within(content, parsed.to_json())


@given(values | st.dictionaries(st.sampled_from(sorted(PipelineDocument.model_fields)), values))
def test_arbitrary_json_raises_nothing_but_pipeline_error(content: Any) -> None:
    formats = ("pipeline-designer/0", "pipeline-designer/1", "pipeline-designer/2")
    for written in (content, *({**content, "format": f} for f in formats if _is_object(content))):
        _parse_or_refuse(json.dumps(written))
        _parse_or_refuse(written)


@given(st.text() | st.binary())
def test_arbitrary_text_raises_nothing_but_pipeline_error(text: str | bytes) -> None:
    _parse_or_refuse(text)


def _parse_or_refuse(source: object) -> None:
    try:
        parse_document(source)
    except PipelineError as error:
        refused = error.problems
    else:
        return
    assert refused


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _within(part: Any, whole: Any) -> bool:
    """True where everything in ``part`` is in ``whole``, which may have defaults beside it."""
    if isinstance(part, dict):
        return all(key in whole and _within(item, whole[key]) for key, item in part.items())
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(_within, part, whole))
    return bool(part == whole)
