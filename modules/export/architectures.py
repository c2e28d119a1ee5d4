"""Architectures that cannot be exported, known before a run."""

from __future__ import annotations

from collections.abc import Mapping

from modules.errors import ModelNotExportedError
from modules.export.formats import Format, is_onnx
from modules.sentences import export as say

NOT_ONNX: Mapping[str, str] = {}
"""Reason for each architecture that ONNX cannot express; found by exporting all of them."""


def check_architecture(architecture: str, chosen: Format) -> None:
    """Raise 3105 if this architecture cannot be written in the format."""
    reason = NOT_ONNX.get(architecture) if is_onnx(chosen) else None
    if reason is not None:
        raise ModelNotExportedError(say.NETWORK_NOT_TRACED, architecture=architecture, error=reason)
