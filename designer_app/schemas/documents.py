"""Documents inside other objects of requests and responses."""

from __future__ import annotations

from typing import Annotated

from pydantic import WithJsonSchema

from modules.schema_reference import KEY, DocumentData

Document = Annotated[DocumentData, WithJsonSchema({KEY: "PipelineDocument"})]
"""Pipeline document inside another object; it is read by ``parse_document``."""
