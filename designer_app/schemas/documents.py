"""Documents inside other objects of requests and responses."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import WithJsonSchema

from modules.schema_reference import KEY

Document = Annotated[dict[str, Any], WithJsonSchema({KEY: "PipelineDocument"})]
"""Pipeline document inside another object; it is read by ``parse_document``."""
