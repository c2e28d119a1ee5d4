"""What is in the outputs of a node of a run, small enough to be drawn beside it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, JsonValue

from designer_app.schemas.shape import Shape
from pipelines.inspection.preview_models import Preview


class NodePreviewsAnswer(Shape):
    """Previews of a node, in the shape in which a replay has them."""

    previews: list[Preview]
    pictures: dict[str, str] = Field(description="Name to JPEG in base64.")
    is_transformed: bool = Field(
        description="Something is attached to the images: a training sees others of them."
    )


class Variation(Shape):
    """Parameters of Init Image Transformation to be tried."""

    parameters: dict[str, JsonValue]
    seed: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        0, description="Another image and other draws."
    )


class VariedImageAnswer(Shape):
    """An image as it is, and as the parameters make it. JPEG in base64."""

    before: str
    after: list[str] = Field(description="One where nothing is random.")


class NetworkPart(Shape):
    """Neighbouring layers under one name."""

    name: str
    num_parameters: int
    flops: float = Field(description="Of one image.")


class NetworkSketch(Shape):
    """An untrained model, built for the images of the training it is linked to."""

    architecture: str
    num_classes: int
    height: int = Field(description="Of its images, in pixels.")
    width: int
    num_parameters: int
    num_trainable: int
    flops_per_image: float
    parts: list[NetworkPart]
