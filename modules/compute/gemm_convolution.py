"""Convolutions as matrix products, on a CPU and if that is faster.

torch's CPU library reorders a convolution's weights into its own layout in every step. On small
images that takes longer than the arithmetic: ResNet-18's last layers at 64 pixels reach a quarter
of the processor's peak. In channels-last memory the weights already are a matrix, and the
convolution is its product with the patches of the images (K. Chellapilla, S. Puri and P. Simard,
2006); so are both gradients. The faster way is found by timing the first steps, for each
convolution and each of its three products.

Gain in processor time of a training step against ``switches.MATRIX_CONVOLUTIONS`` off (one thread,
thirty steps by turns, an EPYC with AVX-512; fp32 and bf16): ResNet-18 at 64 pixels 1.12 and 1.10,
at 32 pixels 1.63 and 1.51; ResNet-50 at 64 pixels 1.08 and 1.12; DenseNet-121 at 64 pixels none
(0.98 and 0.97), as its layers have few channels.

Shape letters: N images, C channels, H height, W width; Y rows and X columns of the output, K
channels of the output; P patches (N Y X); V values of a patch.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from modules.compute.autotune import Autotuner
from modules.compute.im2col import Reach, patches, reach, sum_of_patches
from modules.compute.reached_taps import without_unreached_taps
from modules.compute.switches import MATRIX_CONVOLUTIONS, is_on

if TYPE_CHECKING:
    import torch
    from torch import nn

MOST_PIXELS = 64
"""Maximum pixels of an output; with more, only kernels of one pixel were seen to gain."""
MOST_VALUES = 1 << 24
"""Maximum values of all patches, which are copies: 64 MB in fp32."""


def may_gain() -> bool:
    """Return True if torch multiplies matrices with a library that needs no reordering."""
    import torch

    return is_on(MATRIX_CONVOLUTIONS) and bool(torch.backends.mkl.is_available())  # type: ignore[no-untyped-call]  # torch's own


def autotune_convolutions(model: nn.Module) -> None:
    """Let the model's convolutions find the faster way; the model must be in channels-last memory.

    Weights and their names are unchanged. Results differ from torch's in their last bits.
    """
    from torch import nn

    for module in model.modules():
        if type(module) is nn.Conv2d and _is_plain(module):
            module.forward = Convolution(module)  # type: ignore[assignment]  # of this one alone


def _is_plain(module: nn.Conv2d) -> bool:
    has_numbers = module.padding_mode == "zeros" and not isinstance(module.padding, str)
    return has_numbers and module.bias is None and module.groups == 1 and module.dilation == (1, 1)


class Convolution:
    """The forward pass of a convolution without bias, and its backward pass."""

    def __init__(self, module: nn.Conv2d) -> None:
        self.module = module
        self.outputs, self.images_gradient, self.weights_gradient = (
            Autotuner(),
            Autotuner(),
            Autotuner(),
        )

    def __call__(self, images_NCHW: torch.Tensor) -> torch.Tensor:
        import torch

        rows, columns = self.reach(images_NCHW)
        if not self._may_gain(len(images_NCHW), rows, columns):
            return type(self.module).forward(self.module, images_NCHW)
        weights = self.module.weight
        if rows.has_unreached_taps or columns.has_unreached_taps:
            images_NCHW, weights = without_unreached_taps(images_NCHW, weights, rows, columns)
            rows, columns = rows.of_padded_image, columns.of_padded_image
        if torch.is_autocast_enabled("cpu"):
            dtype = torch.get_autocast_dtype("cpu")
            images_NCHW, weights = images_NCHW.to(dtype), weights.to(dtype)
        images_NCHW = images_NCHW.contiguous(memory_format=torch.channels_last)
        outputs_NKYX: torch.Tensor = _function().apply(images_NCHW, weights, self, rows, columns)
        return outputs_NKYX

    def reach(self, images_NCHW: torch.Tensor) -> tuple[Reach, Reach]:
        """Return the reach of the kernel's rows and columns for images of this size."""
        module = self.module
        height, width = images_NCHW.shape[-2:]
        kernels, strides, paddings = module.kernel_size, module.stride, module.padding
        assert not isinstance(paddings, str)
        rows = reach(height, kernels[0], strides[0], paddings[0])
        return rows, reach(width, kernels[1], strides[1], paddings[1])

    def _may_gain(self, num_images: int, rows: Reach, columns: Reach) -> bool:
        tuners = (self.outputs, self.images_gradient, self.weights_gradient)
        if all(tuner.prefers_other is False for tuner in tuners):
            return False
        if rows.is_plain and columns.is_plain:
            return True
        num_pixels = rows.num_outputs * columns.num_outputs
        num_values = rows.num_taps * columns.num_taps * self.module.in_channels
        is_small = num_images * num_pixels * num_values <= MOST_VALUES
        return 0 < num_pixels <= MOST_PIXELS and is_small


@lru_cache(maxsize=1)
def _function() -> Any:
    """Return the convolution as an autograd function; created once, as torch is loaded late."""
    from torch.autograd.function import Function, once_differentiable
    from torch.nn.functional import conv2d

    class Raced(Function):
        @staticmethod
        def forward(
            ctx: Any,
            images: torch.Tensor,
            weights: torch.Tensor,
            way: Convolution,
            rows: Reach,
            columns: Reach,
        ) -> Any:
            ctx.save_for_backward(images, weights)
            ctx.way, ctx.reaches = way, (rows, columns)
            strides, paddings = way.module.stride, (rows.before, columns.before)
            return way.outputs.run(
                lambda: conv2d(images, weights, None, strides, paddings),
                lambda: _outputs(images, weights, rows, columns),
            )

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, gradient: torch.Tensor) -> Any:
            wanted = ctx.needs_input_grad
            gradients = _gradients(ctx.way, wanted, gradient, *ctx.saved_tensors, *ctx.reaches)
            return *gradients, None, None, None

    return Raced


def _gradients(
    way: Convolution,
    wanted: tuple[bool, ...],
    gradient_NKYX: torch.Tensor,
    images_NCHW: torch.Tensor,
    weights: torch.Tensor,
    rows: Reach,
    columns: Reach,
) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    """Return the requested gradients of images and weights, each in the layout of its input."""
    import torch

    gradient_NKYX = gradient_NKYX.contiguous(memory_format=torch.channels_last)

    def by_library(*mask: bool) -> Any:
        return torch.ops.aten.convolution_backward(
            gradient_NKYX,
            images_NCHW,
            weights,
            None,
            way.module.stride,
            (rows.before, columns.before),
            (1, 1),
            False,
            (0, 0),
            1,
            (*mask, False),
        )

    of_images = of_weights = None
    if wanted[0]:
        of_images = way.images_gradient.run(
            lambda: by_library(True, False)[0],
            lambda: _images_gradient(gradient_NKYX, weights, rows, columns),
        )
    if wanted[1]:
        of_weights = way.weights_gradient.run(
            lambda: by_library(False, True)[1],
            lambda: _weights_gradient(gradient_NKYX, images_NCHW, rows, columns),
        )
    return of_images, of_weights


def _outputs(
    images_NCHW: torch.Tensor, weights: torch.Tensor, rows: Reach, columns: Reach
) -> torch.Tensor:
    products_PK = patches(images_NCHW, rows, columns) @ _matrix(weights).t()
    shape = (len(images_NCHW), rows.num_outputs, columns.num_outputs, len(weights))
    return products_PK.view(shape).permute(0, 3, 1, 2)


def _images_gradient(
    gradient_NKYX: torch.Tensor, weights: torch.Tensor, rows: Reach, columns: Reach
) -> torch.Tensor:
    patches_PV = _pixels(gradient_NKYX) @ _matrix(weights)
    return sum_of_patches(patches_PV, weights.shape[1], rows, columns)


def _weights_gradient(
    gradient_NKYX: torch.Tensor, images_NCHW: torch.Tensor, rows: Reach, columns: Reach
) -> torch.Tensor:
    matrix_KV = _pixels(gradient_NKYX).t() @ patches(images_NCHW, rows, columns)
    shape = (gradient_NKYX.shape[1], rows.num_taps, columns.num_taps, images_NCHW.shape[1])
    return matrix_KV.view(shape).permute(0, 3, 1, 2)


def _matrix(weights: torch.Tensor) -> torch.Tensor:
    """Return shape (K, V): a view of channels-last weights, unless taps of several are skipped."""
    return weights.permute(0, 2, 3, 1).flatten(1)


def _pixels(gradient_NKYX: torch.Tensor) -> torch.Tensor:
    """Return shape (P, K): a view."""
    return gradient_NKYX.permute(0, 2, 3, 1).reshape(-1, gradient_NKYX.shape[1])
