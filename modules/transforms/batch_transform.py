"""Random operations on a batch of images, with all numbers from one generator.

Shape letters: N images, C = 3 channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from modules.transforms.operations import MIXTURES, Operation, select

if TYPE_CHECKING:
    import torch

BatchOperation = Callable[..., "torch.Tensor"]


class BatchTransformation:
    """The operations after the deterministic prefix, random per image.

    Mixtures are excluded because they need labels (``modules.transforms.mixup``). Erasing fills
    with the given mean colour, which is zero after normalisation, as in torchvision.
    """

    def __init__(
        self,
        operations: Sequence[Operation],
        mean_colour: Sequence[float] = (0.485, 0.456, 0.406),
    ) -> None:
        """``mean_colour`` is the mean of the normalisation, in 0-1 per channel."""
        operations = select(operations, mode="For training")
        self.operations = tuple(
            operation for operation in operations if operation["operation"] not in MIXTURES
        )
        self._colour = tuple(round(255 * channel) for channel in mean_colour)
        self._steps = tuple(self._step(operation) for operation in self.operations)

    def __call__(
        self, images_NHWC: torch.Tensor | Sequence[torch.Tensor], generator: torch.Generator
    ) -> torch.Tensor:
        """Return transformed images as a new uint8 tensor (N, H, W, C); the input is not modified.

        Images of different sizes may be passed as a sequence of tensors (H, W, C). An operation
        must then make their sizes equal (``operations.common_output_size``), otherwise
        ``ValueError`` is raised. The generator must be a CPU generator; images may be on any
        device.
        """
        import torch

        if isinstance(images_NHWC, torch.Tensor):
            groups_NCHW = [images_NHWC.permute(0, 3, 1, 2)]
        else:
            groups_NCHW = _joined([image.permute(2, 0, 1)[None] for image in images_NHWC])
        for step in self._steps:
            groups_NCHW = _joined([step(group, generator=generator) for group in groups_NCHW])
        if len(groups_NCHW) != 1:
            raise ValueError("The images have different sizes. Add a Center crop.")
        output_NHWC = groups_NCHW[0].permute(0, 2, 3, 1).contiguous()
        is_same = (
            isinstance(images_NHWC, torch.Tensor)
            and output_NHWC.data_ptr() == images_NHWC.data_ptr()
        )
        return output_NHWC.clone() if is_same else output_NHWC

    def _step(self, operation: Operation) -> BatchOperation:
        from modules.transforms import colour, geometry, policies, warps

        arguments = {name: value for name, value in operation.items() if name != "operation"}
        functions: dict[str, BatchOperation] = {
            "resize": geometry.resize,
            "center_crop": geometry.center_crop,
            "pad": geometry.pad,
            "grayscale": colour.grayscale,
            "color_jitter": colour.color_jitter,
            "random_resized_crop": geometry.random_resized_crop,
            "random_crop": geometry.random_crop,
            "random_horizontal_flip": geometry.random_horizontal_flip,
            "random_vertical_flip": geometry.random_vertical_flip,
            "random_rotation": warps.random_rotation,
            "random_affine": warps.random_rotation,
            "random_grayscale": colour.random_grayscale,
            "random_perspective": warps.random_perspective,
            "rand_augment": policies.rand_augment,
            "trivial_augment": policies.trivial_augment,
            "random_erasing": partial(colour.random_erasing, colour=self._colour),
        }
        return partial(functions[operation["operation"]], **arguments)


def _joined(groups_NCHW: list[torch.Tensor]) -> list[torch.Tensor]:
    """Join the groups to one batch if all images have the same size."""
    import torch

    if len({group.shape[1:] for group in groups_NCHW}) > 1:
        return groups_NCHW
    return [torch.cat(groups_NCHW)] if len(groups_NCHW) > 1 else groups_NCHW
