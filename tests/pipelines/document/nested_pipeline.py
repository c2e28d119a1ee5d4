"""A pipeline of toy modules with a sub-pipeline inside a sub-pipeline."""

from __future__ import annotations

from typing import Any

from pipelines.document.document import PipelineDocument, parse_document
from tests.pipelines.document import cases

DOUBLE = {
    "id": "double",
    "title": "Double",
    "nodes": [{"id": "sum", "module": "add"}],
    "inputs": [
        {"id": "left", "node": "sum", "port": "a"},
        {"id": "right", "node": "sum", "port": "b"},
    ],
    "outputs": [{"id": "result", "node": "sum", "port": "output"}],
}
FOUR = {
    "id": "four",
    "nodes": [
        {"id": "start", "module": "constant"},
        {"id": "twice", "module": "definition:double"},
    ],
    "links": [
        {"from": {"node": "start", "port": "output"}, "to": {"node": "twice", "port": port}}
        for port in ("left", "right")
    ],
    "parameters": [{"id": "begin", "type": "integer", "default": 2, "binds": ["start.value"]}],
    "outputs": [{"id": "sum", "node": "twice", "port": "result"}],
}


def nested(**changes: Any) -> PipelineDocument:
    """``front`` holds a constant and a sub-pipeline that adds it to itself; ``end`` adds one."""
    wired = cases.pipeline(
        {"id": "front", "module": "definition:four", "parameters": {"begin": 3}},
        "one:constant",
        "end:add",
        links=("front.sum -> end.a", "one.output -> end.b"),
    )
    return parse_document({**wired, "definitions": [DOUBLE, FOUR], **changes})
