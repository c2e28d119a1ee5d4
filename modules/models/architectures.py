"""Names of the classification networks: those of torchvision's registry, and the designer's own.

Known without torch, as the palette lists them; a test compares torchvision's with
``torchvision.models.list_models``.
"""

from __future__ import annotations

from modules.models.pretrained_weights import PUBLISHED

TORCHVISION_MODELS: tuple[str, ...] = tuple(PUBLISHED)
DESIGNER_MODELS: tuple[str, ...] = (
    "efficientnet_lite0",
    "efficientnet_lite1",
    "efficientnet_lite2",
)
"""Networks that are built here (``modules.models.efficientnet_lite``)."""
IMAGE_MODELS: tuple[str, ...] = tuple(sorted((*TORCHVISION_MODELS, *DESIGNER_MODELS)))
