"""A pipeline with a parameter of its own, to be published."""

from __future__ import annotations

from typing import Any

from pipelines.document.document import PipelineDocument, parse_document


def with_parameter(default: float = 2.0, **facts: Any) -> PipelineDocument:
    """One constant whose value is a parameter of the pipeline."""
    node = {"id": "number", "module": "constant"}
    bound = {"id": "value", "type": "number", "default": default, "binds": ["number.value"]}
    return parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "toy",
            "nodes": [node],
            "parameters": [bound],
            **facts,
        }
    )
