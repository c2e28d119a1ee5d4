"""Names of the classification models of torchvision's registry.

Known without torch, as the palette lists them; a test compares them with
``torchvision.models.list_models``.
"""

from __future__ import annotations

from modules.models.pretrained_weights import PUBLISHED

IMAGE_MODELS: tuple[str, ...] = tuple(PUBLISHED)
