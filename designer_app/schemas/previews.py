"""Previews of the outputs of a run's node."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, JsonValue

from designer_app.schemas.shape import Shape
from pipelines.inspection.preview_models import Preview


class NodePreviewsAnswer(Shape):
    """Previews of a node, in the format of a replay."""

    previews: list[Preview]
    pictures: dict[str, str] = Field(description="Name to JPEG in base64.")
    is_transformed: bool = Field(
        description="True if transformations are attached, which change the images of a training."
    )


class Variation(Shape):
    """Parameters of Init Image Transformation to be tried."""

    parameters: dict[str, JsonValue]
    seed: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        0, description="Seed of the image choice and of random parameters."
    )


class VariedImageAnswer(Shape):
    """Image before and after the transformation, as JPEG in base64."""

    before: str
    after: list[str] = Field(description="A single image if nothing is random.")


class NetworkPart(Shape):
    """Adjacent layers under one name."""

    name: str
    num_parameters: int
    flops: float = Field(description="FLOPs per image.")


class NetworkSketch(Shape):
    """Untrained model, built for the images of its training."""

    architecture: str
    num_classes: int
    height: int = Field(description="Image height in pixels.")
    width: int
    num_parameters: int
    num_trainable: int
    flops_per_image: float
    parts: list[NetworkPart]
