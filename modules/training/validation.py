"""Validation of a model, with each image counted exactly once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from modules.image_loading.prefetch import Batch, BatchPlan
from modules.image_loading.samplers import ordered_batches
from modules.models.logits import logits_of
from modules.training.metrics import Averages, Sums

if TYPE_CHECKING:
    from modules.training.session import Session

BATCH_FACTOR = 2
"""Batch size factor: without gradients a batch takes less than half of the memory."""


def validation_plan(session: Session) -> BatchPlan:
    """Return the reading plan of this process for validation."""
    size, group = session.settings.batch_size * BATCH_FACTOR, session.group
    return session.data.validation.plan(
        ordered_batches(len(session.data.validation), size, group.rank, group.world_size)
    )


def validate(session: Session, batches: Iterator[Batch]) -> Averages:
    """Return cross entropy and errors over all validation images and all processes.

    ``batches`` are those of the plan.
    """
    import torch
    from torch.nn.functional import cross_entropy

    group, data = session.group, session.data.validation
    average_running_statistics(session)
    session.networks.learner.eval()
    sums = Sums(group.device)
    no_chance = torch.Generator()
    with torch.inference_mode():
        for indices, pixels in batches:
            group.context.alive()
            group.threads.follow()
            images_NCHW = data.preparation(pixels, no_chance)
            labels_N = data.labels_of(indices)
            with session.networks.autocast():
                logits_NK = logits_of(session.networks.learner, images_NCHW)
            sums.add(cross_entropy(logits_NK, labels_N), logits_NK, labels_N)
    return sums.read(session)


def average_running_statistics(session: Session) -> None:
    """Set the batch normalisation statistics of all processes to their mean."""
    if session.group.is_alone:
        return
    for buffer in session.networks.model.buffers():
        if buffer.is_floating_point():
            session.group.sum(buffer).div_(session.group.world_size)
