"""Annotation that names the schema of a field whose values are plain JSON.

Processes that must not import pydantic declare such fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

KEY = "x-model"
"""Key of the reference in a schema until it is resolved."""
JsonSchema = dict[str, Any]
"""JSON Schema."""
DocumentData = dict[str, Any]
"""Pipeline document as JSON, of any format: ``pipelines.document`` reads it."""


@dataclass(frozen=True)
class SchemaReference:
    """Reference to a model by its name: ``Annotated[ProblemData, SchemaReference("Problem")]``.

    The values of the field are not validated.
    """

    model: str

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.any_schema()

    def __get_pydantic_json_schema__(self, _schema: Any, _handler: Any) -> dict[str, str]:
        return {KEY: self.model}
