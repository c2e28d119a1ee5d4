"""Architectures that cannot be exported in a format, known before a run."""

from __future__ import annotations

from collections.abc import Mapping

from modules.errors import ModelNotExportedError
from modules.export.formats import Format, is_onnx
from modules.sentences import export as say

NOT_ONNX: Mapping[str, float] = {"regnet_y_128gf": 2.58, "vit_h_14": 2.53}
"""Size of the weights in GB of architectures that do not fit into one ONNX file."""


def check_architecture(architecture: str, chosen: Format) -> None:
    """Raise 3105 if this architecture cannot be written in the format."""
    if is_onnx(chosen) and architecture in NOT_ONNX:
        raise ModelNotExportedError(say.TOO_LARGE, gigabytes=NOT_ONNX[architecture])
