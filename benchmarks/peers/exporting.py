"""A network in the ONNX format."""

from __future__ import annotations

import warnings
from typing import Any


def exported(network: Any, images_NCHW: Any) -> bytes:
    """The network for batches of this shape."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(network, (images_NCHW,), dynamo=True, verbose=False)
    return program.model_proto.SerializeToString()
