"""How well a model does on the validation images, each counted exactly once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modules.images.batches import ordered_batches, read_batches
from modules.training.step import Averages, Sums, logits_of

if TYPE_CHECKING:
    from modules.training.session import Session

BATCH_FACTOR = 2
"""Without gradients a batch takes less than half of the memory."""


def validate(session: Session) -> Averages:
    """Plain cross entropy and errors over all validation images and all processes."""
    import torch
    from torch.nn.functional import cross_entropy

    group, data = session.group, session.validation
    average_running_statistics(session)
    session.model.eval()
    sums = Sums(group.device)
    batch_size = session.settings.batch_size * BATCH_FACTOR
    batches = ordered_batches(len(data), batch_size, group.rank, group.world_size)
    no_chance = torch.Generator()
    with torch.inference_mode():
        for indices, pixels in read_batches(data.images, batches, ahead=not data.images.is_decoded):
            images_NCHW = data.preparation(pixels, no_chance)
            labels_N = data.labels[indices]
            with session.precision.autocast():
                logits_NK = logits_of(session.learner, images_NCHW)
            sums.add(cross_entropy(logits_NK, labels_N), logits_NK, labels_N)
    return sums.read(session)


def average_running_statistics(session: Session) -> None:
    """Give all processes the mean of their batch normalisation statistics."""
    if session.group.is_alone:
        return
    for buffer in session.model.buffers():
        if buffer.is_floating_point():
            session.group.sum(buffer).div_(session.group.world_size)
