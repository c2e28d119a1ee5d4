"""Documents of every shape for the tests of code: valid, broken, nested, badly named."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from pipelines.document.document import PipelineDocument
from tests.toy import CATALOG

ids = st.sampled_from(
    ["a", "a_b", "a-b", "import", "1st", "p", "m", "class", "self", "front", "double", "id", "a_b_"]
) | st.from_regex(r"[a-z0-9][a-z0-9_-]{0,12}", fullmatch=True)
ports = st.sampled_from(
    ["output", "a", "b", "n", "import", "title", "__debug__", "_x", "value", "Result"]
)
parameter_names = st.sampled_from(
    ["value", "message", "class", "title", "id", "parameters", "a", "__debug__", "seconds"]
)
modules = st.sampled_from(
    [module.id for module in CATALOG.modules]
    + ["teleport", "unknown", "sub_pipeline", "lambda", "_hidden", "Upper"]
    + ["definition:double", "definition:front", "definition:gone"]
)
SPACES = {
    "a.value": {"kind": "choices", "choices": [1, "two", None]},
    "front/a.value": {"kind": "log", "low": 1e-4, "high": 0.1},
}
OBJECTIVE = {"node": "front/a", "metric": "accuracy"}
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.text(
    st.sampled_from("ab \n\t\"'\\{}é界\u2028\x00"), max_size=300
)
whole_numbers = st.integers(-(2**53) + 1, 2**53 - 1)
numbers = whole_numbers | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
positions = st.fixed_dictionaries({"x": st.floats(-1e7, 1e7), "y": st.integers(-900, 900)})
waypoints = st.lists(positions, max_size=3)
colors = st.none() | st.sampled_from(["red", "blue-2"])


def _some(strategy: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[Any]:
    return st.lists(strategy, max_size=most, unique_by=lambda part: part["id"])


run_settings = st.fixed_dictionaries(
    {},
    optional={
        "target": st.none() | ids,
        "node_count": st.integers(1, 4),
        "regenerate_output": st.booleans(),
        "time_limit_minutes": st.floats(0, 1e6),
        "stall_limit_minutes": st.none() | st.floats(0.5, 9),
        "environment": st.just("base@1"),
        "steps_per_gpu": st.none() | st.integers(1, 16),
        "variables": st.dictionaries(st.sampled_from(["A", "b_2"]), texts, max_size=2),
    },
)
nodes: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"id": ids, "module": modules},
    optional={
        "version": st.integers(1, 3),
        "title": st.none() | texts,
        "color": colors,
        "parameters": st.dictionaries(parameter_names, values, max_size=3),
        "position": positions,
        "comment": texts,
        "disabled": st.booleans(),
        "collapsed": st.booleans(),
        "pin": st.none() | st.just({"artifact": "0a-1b-2c", "run": "20261130-120000-1a2b"}),
        "run_settings": run_settings,
    },
)
notes = st.fixed_dictionaries(
    {"id": ids, "text": texts},
    optional={"position": positions, "width": st.floats(1, 1e5), "height": st.just(80)},
)
parameters = st.fixed_dictionaries(
    {"id": parameter_names},
    optional={
        "title": texts,
        "type": st.sampled_from(["integer", "number", "boolean", "string", "array", "object"]),
        "default": values,
        "description": texts,
        "binds": st.lists(st.sampled_from(["a.value", "front/a.value"]), max_size=2),
    },
)


@st.composite
def levels(draw: st.DrawFn) -> dict[str, Any]:
    """Nodes, links and annotations, most of which fit together."""
    made = draw(_some(nodes, 5))
    members = st.sampled_from([node["id"] for node in made]) if made else ids
    ends = st.fixed_dictionaries({"node": members | ids, "port": ports})
    links = st.fixed_dictionaries({"from": ends, "to": ends}, optional={"waypoints": waypoints})
    groups = st.fixed_dictionaries(
        {"id": ids, "nodes": st.lists(members | ids, max_size=3)},
        optional={"title": texts, "colour": st.just("blue"), "collapsed": st.booleans()},
    )
    return {
        "nodes": made,
        "links": draw(st.lists(links, max_size=8)),
        "notes": draw(_some(notes, 2)),
        "groups": draw(_some(groups, 2)),
        "parameters": draw(_some(parameters, 2)),
    }


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Pipelines with sub-pipelines, which may be missing, in each other, or in themselves."""
    ports_of = _some(st.fixed_dictionaries({"id": ports, "node": ids, "port": ports}), 2)
    definition_ids = draw(st.lists(st.sampled_from(["double", "front", "a_b"]), unique=True))
    definitions = [
        {"id": name, **draw(levels()), "inputs": draw(ports_of), "outputs": draw(ports_of)}
        for name in definition_ids
    ]
    head = st.fixed_dictionaries({"id": ids}, optional={"name": texts, "description": texts})
    settings = st.fixed_dictionaries(
        {},
        optional={
            "target": ids,
            "random_seed": st.none() | st.integers(0, 2**32 - 1),
            "sweep": st.just({"parameters": SPACES, "objective": OBJECTIVE, "max_trials": 9}),
        },
    )
    return {
        "format": "pipeline-designer/2",
        **draw(head),
        **draw(levels()),
        "definitions": definitions,
        "settings": draw(settings),
    }


def with_sorted_links(document: PipelineDocument) -> dict[str, Any]:
    """Return the JSON of a document with sorted links: code does not keep their order."""
    content = document.to_json()
    for whole in (content, *content.get("definitions", ())):
        whole["links"].sort(key=lambda link: json.dumps(link, sort_keys=True))
    return content
