"""The cases that Python and TypeScript share: ``tests/cases/*.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.problems import Problem

CASES_DIR = Path(__file__).resolve().parents[2] / "cases"


def load(name: str) -> Any:
    """The parsed contents of one file of cases."""
    return json.loads((CASES_DIR / name).read_text(encoding="utf-8"))


def named(cases: list[dict[str, Any]]) -> list[Any]:
    """Test parameters that carry their case's name."""
    return [pytest.param(case, id=case["name"].replace(" ", "-")) for case in cases]


def message_of(problem: Problem) -> dict[str, Any]:
    """The text of a problem and its facts, which both languages must agree on."""
    whole = problem.to_json()
    return {name: whole[name] for name in ("code", "message", "cure", "reason", "facts")}


def pipeline(*nodes: str | dict[str, Any], links: tuple[str, ...] = ()) -> dict[str, Any]:
    """A document in short: nodes as ``id:module`` or objects, links as ``a.output -> b.a``."""
    return {
        "format": "pipeline-designer/2",
        "id": "sums",
        "nodes": [_node(node) for node in nodes],
        "links": [_link(link) for link in links],
    }


def _node(node: str | dict[str, Any]) -> dict[str, Any]:
    if isinstance(node, dict):
        return node
    node_id, _, module = node.partition(":")
    return {"id": node_id, "module": module or node_id}


def _link(text: str) -> dict[str, Any]:
    source, target = (end.split(".") for end in text.split(" -> "))
    return {
        "from": {"node": source[0], "port": source[1]},
        "to": {"node": target[0], "port": target[1]},
    }
