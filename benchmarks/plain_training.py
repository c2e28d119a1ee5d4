"""A training as tutorials have it: torchvision, a data loader, fp32; what ours is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import nn
    from torch.utils.data import DataLoader

    from benchmarks.pictures import Divided

CROP_SCALE, FLIP_PROBABILITY = (0.7, 1.0), 0.5


@dataclass(frozen=True)
class Recipe:
    """What every contender trains with."""

    size: int
    epochs: int
    batch_size: int
    learning_rate: float
    momentum: float = 0.9
    weight_decay: float = 1e-4

    def model_json(self) -> Mapping[str, Any]:
        """The untrained model as this project's modules know it."""
        from modules.models.recipe import Recipe as ModelRecipe

        return ModelRecipe(family="Image Model", architecture="resnet18").to_json()


def train_plainly(sides: Divided, recipe: Recipe, seed: int, is_varied: bool) -> float:
    """Top-1 accuracy on the validation side, of the epoch with the lowest validation loss."""
    import torch
    from torch.nn.functional import cross_entropy
    from torchvision.models import resnet18

    torch.manual_seed(seed)
    mean, std = _colours(sides.train, recipe)
    training = _loader(sides.train, recipe, mean, std, is_varied=is_varied, shuffle=True)
    validation = _loader(sides.validation, recipe, mean, std, is_varied=False, shuffle=False)
    model = resnet18(num_classes=len(list(sides.train.iterdir())))
    optimizer = torch.optim.SGD(
        model.parameters(),
        lr=recipe.learning_rate,
        momentum=recipe.momentum,
        weight_decay=recipe.weight_decay,
        nesterov=True,
    )
    num_steps = recipe.epochs * len(training)
    schedule = torch.optim.lr_scheduler.PolynomialLR(optimizer, num_steps, power=2)
    results = []
    for _ in range(recipe.epochs):
        model.train()
        for images_NCHW, labels_N in training:
            optimizer.zero_grad()
            loss: torch.Tensor = cross_entropy(model(images_NCHW), labels_N)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
        results.append(_judge(model, validation))
    return min(results)[1]


def _judge(model: nn.Module, validation: DataLoader[Any]) -> tuple[float, float]:
    """Loss and accuracy."""
    import torch
    from torch.nn.functional import cross_entropy

    model.eval()
    loss, num_right, num = 0.0, 0, 0
    with torch.inference_mode():
        for images_NCHW, labels_N in validation:
            logits_NK = model(images_NCHW)
            loss += float(cross_entropy(logits_NK, labels_N, reduction="sum"))
            num_right += int((logits_NK.argmax(dim=1) == labels_N).sum())
            num += len(labels_N)
    return loss / num, num_right / num


def _loader(
    folder: Path,
    recipe: Recipe,
    mean: list[float],
    std: list[float],
    *,
    is_varied: bool,
    shuffle: bool,
) -> DataLoader[Any]:
    import torch
    from torch.utils.data import DataLoader
    from torchvision.datasets import ImageFolder
    from torchvision.transforms import v2

    varied = [
        v2.RandomResizedCrop(recipe.size, scale=CROP_SCALE),
        v2.RandomHorizontalFlip(FLIP_PROBABILITY),
    ]
    steps = [v2.Resize(recipe.size), *(varied if is_varied else [])]
    steps += [v2.PILToTensor(), v2.ToDtype(torch.float32, scale=True), v2.Normalize(mean, std)]
    images = ImageFolder(str(folder), v2.Compose(steps))
    return DataLoader(images, recipe.batch_size, shuffle=shuffle)


def _colours(folder: Path, recipe: Recipe) -> tuple[list[float], list[float]]:
    """Mean and standard deviation of each channel."""
    import torch

    loader = _loader(folder, recipe, [0.0] * 3, [1.0] * 3, is_varied=False, shuffle=False)
    images_NCHW = torch.cat([images for images, _ in loader])
    std, mean = torch.std_mean(images_NCHW, dim=(0, 2, 3))
    return mean.tolist(), std.tolist()
