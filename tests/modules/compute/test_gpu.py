"""What only a GPU can show: batches that arrive in the background, files decoded by the card."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import torch

from modules.compute.device_transfer import received
from modules.context import Context
from modules.image_loading.decoders import choose_decoder
from modules.image_loading.gpu_decoding import GpuDecodingImages
from modules.image_loading.gpu_prefetch import Transfer
from modules.image_loading.prefetch import BatchPlan, BatchReader
from modules.training.parameters import TrainParameters
from modules.training.train_pytorch_model import train_pytorch_model
from tests.modules.image_loading.jpegs import crops, mixed
from tests.modules.training.noise import noise_squares, untrained

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU"),
]
BATCHES = [[0, 1, 2], [5, 4], [3]]


def test_batches_arrive_as_they_were_read(tmp_path: Path) -> None:
    device, images = torch.device("cuda", 0), crops(tmp_path, mixed()).drawn(1)
    plan = BatchPlan(images, BATCHES, ahead=True, load=Transfer(device))
    with closing(BatchReader([plan])) as reader:
        for indices, transferred in reader.next_pass():
            arrived = received(transferred, device)
            assert isinstance(arrived, torch.Tensor)
            assert arrived.device == device
            assert np.array_equal(arrived.cpu(), images.read(indices))
    images.close()


def test_the_card_decodes_nearly_the_same_pixels(tmp_path: Path) -> None:
    device, images = torch.device("cuda", 0), crops(tmp_path, mixed()).drawn(1)
    on_card = GpuDecodingImages(images, device)
    for indices in BATCHES:
        difference = on_card.read(indices).cpu().int() - torch.from_numpy(images.read(indices))
        assert difference.abs().float().mean() < 2
    assert len(choose_decoder(images, device)) == len(images)
    images.close()


def test_a_training_on_a_gpu_learns(tmp_path: Path) -> None:
    training = noise_squares(tmp_path / "store/training/out", per_class=16)
    validation = noise_squares(tmp_path / "store/validation/out", per_class=4, seed=9)
    context = Context(tmp_path / "staging", cache_dir=tmp_path / "cache")
    settings = TrainParameters(epochs=5, batch_size=8, learning_rate=0.02)
    recipe = untrained(tmp_path / "recipe")
    [trained] = train_pytorch_model(recipe, training, validation, settings, context)
    assert trained.history["Top-1 validation accuracy"].max() > 0.9
