"""Steps of training on images that are there already: what no way of reading can exceed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.ours_training import data_sets, settings, untrained_model
from benchmarks.peers.stepping import SECONDS, calls_per_second
from benchmarks.peers.telling import measuring_seconds, tell
from benchmarks.peers.training import Work, read_work
from modules.compute.distributed import process_group
from modules.compute.seeds import seed_everything
from modules.context import Context
from modules.image_loading.preprocessing import Preprocessing
from modules.models.logits import logits_of
from modules.training.session import Session
from modules.training.setup import open_session
from modules.training.step import training_loss

if TYPE_CHECKING:
    import torch
    from torch import nn

WARM_STEPS = 10
"""In the first ones convolutions try the ways to compute them, and threads spin briefly."""


class Batch:
    """One batch of bytes on the device, that a session's network can be given again and again."""

    def __init__(self, session: Session) -> None:
        import torch

        num_images = len(session.data.training)
        num = min(session.settings.batch_size, num_images)
        # from all over the data, where images of one class lie together
        indices = [place * num_images // num for place in range(num)]
        pixels, preparation = (
            session.data.training.images.read(indices),
            session.data.training.preparation,
        )
        assert isinstance(preparation, Preprocessing)  # not that of features
        # cut as the network has them: decoded images are larger
        generator = torch.Generator().manual_seed(0)
        self.pixels_NHWC = preparation.transformed(pixels, generator)
        self.labels_N = session.data.training.labels[indices]
        self.session, self.loss = session, training_loss(session)

    def scores(self) -> torch.Tensor:
        """The logits, as validation has them."""
        return self._passed(self.session.networks.learner)

    def _passed(self, network: nn.Module) -> torch.Tensor:
        """The bytes normalised and passed forward."""
        session = self.session
        images_NCHW = session.data.normalisation(
            self.pixels_NHWC, channels_last=session.networks.precision.channels_last
        )
        with session.networks.precision.autocast():
            return logits_of(network, images_NCHW)

    def step(self) -> torch.Tensor:
        """The loss, before the weights took their step."""
        value: torch.Tensor = self.loss(self._passed(self.session.networks.network), self.labels_N)
        value.backward()  # type: ignore[no-untyped-call]
        self.session.optimisation.optimizers.step(None)
        return value.detach()


@contextmanager
def opened(work: Work) -> Iterator[Batch]:
    """A batch of the work's training pictures, and the network in training."""
    from modules.models.recipe import recipe_of

    given, chosen = data_sets(work), settings(work)
    seed_everything(chosen.random_seed, reproducible=chosen.is_reproducible)
    context = Context(work.folder / "steps", cache_dir=work.folder / "cache")
    with (
        process_group(context) as group,
        open_session(recipe_of(untrained_model(work)), *given, chosen, group) as session,
    ):
        session.networks.learner.train()
        yield Batch(session)


def main() -> None:
    """Print the images/s of the training that the command line asks for."""
    import torch

    seconds = measuring_seconds(SECONDS)
    with opened(read_work()) as batch:
        first = float(batch.step())
        for _ in range(WARM_STEPS):
            batch.step()
        steps = calls_per_second(batch.step, seconds)
        last = float(batch.step())
        batch.session.networks.learner.eval()
        with torch.inference_mode():
            forwards = calls_per_second(batch.scores, seconds)
    num_images = len(batch.labels_N)
    losses = {"first loss": first, "last loss": last}
    tell({"rate": steps * num_images, "forward": forwards * num_images, **losses})


if __name__ == "__main__":
    main()
