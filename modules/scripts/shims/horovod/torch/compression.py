"""Compression of gradients for communication: none, or half the bytes."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


class NoneCompressor:
    """Tensors without compression."""

    @staticmethod
    def compress(tensor: "torch.Tensor") -> "tuple[torch.Tensor, Any]":
        """Return the compressed tensor, and what is needed to decompress it."""
        return tensor, None

    @staticmethod
    def decompress(tensor: "torch.Tensor", context: Any) -> "torch.Tensor":
        """Return the decompressed tensor."""
        return tensor


class FP16Compressor:
    """Floating-point tensors as 16-bit numbers."""

    @staticmethod
    def compress(tensor: "torch.Tensor") -> "tuple[torch.Tensor, Any]":
        """Return the compressed tensor, and what is needed to decompress it."""
        return (tensor.half() if tensor.dtype.is_floating_point else tensor), tensor.dtype

    @staticmethod
    def decompress(tensor: "torch.Tensor", context: Any) -> "torch.Tensor":
        """Return the decompressed tensor."""
        return tensor.to(context)


class Compression:
    """The available compressors."""

    none = NoneCompressor
    fp16 = FP16Compressor
