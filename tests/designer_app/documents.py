"""Small documents of toy modules."""

from __future__ import annotations

from typing import Any


def document(pipeline_id: str = "toy", **changes: Any) -> dict[str, Any]:
    """Constant 2 goes into Round; complete, as Python writes it."""
    from pipelines.document.document import parse_document

    return parse_document(
        {
            "format": "pipeline-designer/2",
            "id": pipeline_id,
            "name": "Toy",
            "nodes": [node("two", "constant", value=2), node("whole", "whole")],
            "links": [link("two", "whole", "a")],
            **changes,
        }
    ).to_json()


def node(node_id: str, module: str, **parameters: Any) -> dict[str, Any]:
    """A node with parameters."""
    return {"id": node_id, "module": module, "parameters": parameters}


def link(source: str, target: str, port: str) -> dict[str, Any]:
    """A link from a toy node's output."""
    return {"from": {"node": source, "port": "output"}, "to": {"node": target, "port": port}}


def slow(seconds: float, pipeline_id: str = "slow") -> dict[str, Any]:
    """Constant, then Sleep."""
    return document(
        pipeline_id,
        nodes=[node("two", "constant", value=2), node("nap", "sleep", seconds=seconds)],
        links=[link("two", "nap", "a")],
    )
