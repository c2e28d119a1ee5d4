"""Requests about previews of a node's outputs."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, JsonValue

from modules.json_model import JsonModel


class Variation(JsonModel):
    """Parameters of Init Image Transformation to be tried."""

    parameters: dict[str, JsonValue]
    seed: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        0, description="Seed of the image choice and of random parameters."
    )
