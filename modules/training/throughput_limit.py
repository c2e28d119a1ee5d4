"""Rate of training steps on images in memory: the limit of any data path."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

from modules.models.logits import logits_of
from modules.training.optimizers import Optimizers
from modules.training.step import training_loss

if TYPE_CHECKING:
    import torch
    from torch import nn

    from modules.training.session import Session

SHARE_OF_TIME = 0.02
LEAST_SECONDS, MOST_SECONDS = 0.2, 2.0
MOST_STEPS = 10


def step_rate(session: Session, seconds_per_step: float, spent_seconds: float) -> float | None:
    """Return the images/s over all processes of the trained network, each without the others.

    The same batch is repeated; None if even a few steps would take too much of the user's time. The
    weights, the optimizer and all random states are left unchanged.
    """
    budget = min(MOST_SECONDS, max(LEAST_SECONDS, SHARE_OF_TIME * spent_seconds))
    num_steps = min(MOST_STEPS, int(budget / max(seconds_per_step, 1e-9)))
    if num_steps < 3:
        return None
    import torch

    size = min(session.settings.batch_size, len(session.data.training))
    data = session.data.training
    # From all over the data: the network would soon memorise images of one class.
    indices = [place * len(data) // size for place in range(size)]
    generator = torch.Generator().manual_seed(0)
    with torch.random.fork_rng(devices=[]):
        images_NCHW = data.preparation(data.images.read(indices), generator)
        times = _times(session, images_NCHW, data.labels_of(indices), num_steps)
    # The first step sets up kernels and momentum.
    return size * session.group.world_size / statistics.median(times[1:])


def _times(
    session: Session, images_NCHW: torch.Tensor, labels_N: torch.Tensor, num_steps: int
) -> list[float]:
    weights = {
        name: tensor.clone() for name, tensor in session.networks.learner.state_dict().items()
    }
    optimizers = Optimizers(
        session.networks.learner, session.settings, scaled=session.networks.precision.scales_losses
    )
    loss, scaler = training_loss(session), session.networks.precision.scaler()
    network, times = _on_its_own(session.networks.network), []
    # A compiled network would be compiled again for another mode.
    session.networks.set_training_mode()
    for _ in range(num_steps):
        began = time.perf_counter()
        with session.networks.autocast():
            logits_NK = logits_of(network, images_NCHW)
        value = loss(logits_NK, labels_N)
        (value if scaler is None else scaler.scale(value)).backward()
        optimizers.step(scaler)
        float(value.detach())  # waits for the device
        times.append(time.perf_counter() - began)
    session.networks.learner.load_state_dict(weights)
    return times


def _on_its_own(network: nn.Module) -> nn.Module:
    """Return the network, compiled or not, without synchronisation between processes."""
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel

    if not isinstance(network, DistributedDataParallel):
        return network
    alone = network.module
    assert isinstance(alone, nn.Module)
    return alone
