"""MixUp and CutMix: pixels and labels in the same proportion."""

from __future__ import annotations

import pytest
import torch

from modules.transforms.mixup import MixtureOfImages, draw_share

MIXUP = {"operation": "mixup", "alpha": 0.4}
CUTMIX = {"operation": "cutmix", "alpha": 1.0}
LABELS_N = torch.tensor([0, 1, 2, 3])


def one_hot_images() -> torch.Tensor:
    """Image n is n everywhere, so that its pixels say what it was mixed from."""
    return torch.arange(4.0)[:, None, None, None].expand(4, 3, 10, 12).clone()


def test_without_a_mixture_labels_become_one_hot_and_images_stay() -> None:
    mixture = MixtureOfImages([{"operation": "random_horizontal_flip", "p": 0.5}], num_classes=5)
    images, targets = mixture(one_hot_images(), LABELS_N, torch.Generator())

    assert not mixture
    assert torch.equal(images, one_hot_images())
    assert targets.tolist() == torch.eye(5)[:4].tolist()


@pytest.mark.parametrize("operation", [MIXUP, CUTMIX])
def test_the_mean_of_the_pixels_is_the_mean_of_the_labels(operation: dict[str, object]) -> None:
    mixture = MixtureOfImages([operation], num_classes=4)
    for seed in range(20):
        generator = torch.Generator().manual_seed(seed)
        images, targets = mixture(one_hot_images(), LABELS_N, generator)
        expected_N = targets @ torch.arange(4.0)

        assert bool(mixture)
        assert torch.allclose(targets.sum(dim=1), torch.ones(4))
        assert torch.allclose(images.mean(dim=(1, 2, 3)), expected_N, atol=1e-5)


def test_the_same_generator_gives_the_same_mixture() -> None:
    mixture = MixtureOfImages([MIXUP, CUTMIX], num_classes=4)
    outputs = [
        mixture(one_hot_images(), LABELS_N, torch.Generator().manual_seed(seed))
        for seed in (3, 3, 4)
    ]

    assert torch.equal(outputs[0][0], outputs[1][0])
    assert not torch.equal(outputs[0][0], outputs[2][0])


def test_shares_are_beta_distributed() -> None:
    generator = torch.Generator().manual_seed(0)
    shares = torch.tensor([draw_share(0.4, generator) for _ in range(400)])

    assert shares.mean().item() == pytest.approx(0.5, abs=0.06)
    assert shares.var().item() == pytest.approx(1 / (4 * (2 * 0.4 + 1)), abs=0.02)
