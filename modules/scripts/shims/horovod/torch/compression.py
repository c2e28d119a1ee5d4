"""How gradients travel: as they are, or as half the bytes."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


class NoneCompressor:
    """Tensors as they are."""

    @staticmethod
    def compress(tensor: "torch.Tensor") -> "tuple[torch.Tensor, Any]":
        """What travels, and what is needed to make the tensor of it again."""
        return tensor, None

    @staticmethod
    def decompress(tensor: "torch.Tensor", context: Any) -> "torch.Tensor":
        """The tensor again."""
        return tensor


class FP16Compressor:
    """Floating-point tensors as 16-bit numbers."""

    @staticmethod
    def compress(tensor: "torch.Tensor") -> "tuple[torch.Tensor, Any]":
        """What travels, and what is needed to make the tensor of it again."""
        return (tensor.half() if tensor.dtype.is_floating_point else tensor), tensor.dtype

    @staticmethod
    def decompress(tensor: "torch.Tensor", context: Any) -> "torch.Tensor":
        """The tensor again."""
        return tensor.to(context)


class Compression:
    """The choices."""

    none = NoneCompressor
    fp16 = FP16Compressor
