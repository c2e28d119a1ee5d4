"""fastai: ``vision_learner`` and ``fine_tune`` as in its first lesson, with timm's network."""

from __future__ import annotations

import warnings

from benchmarks.peers.few import MEAN, NETWORK, PIXELS, STD, Clock, load_in_order, read_few_work

warnings.simplefilter("ignore")
WORK = read_few_work()
CLOCK = Clock(WORK)

from fastai.vision.all import (  # noqa: E402  (its import is a part of the command)
    Callback,
    CancelFitException,
    ImageDataLoaders,
    Normalize,
    Resize,
    accuracy,
    aug_transforms,
    set_seed,
    vision_learner,
)

EPOCHS = 10


class Judge(Callback):
    """Reports each validation to the clock, and ends both phases at the wanted accuracy."""

    order = 70

    def before_fit(self) -> None:
        if CLOCK.reached is not None:
            raise CancelFitException("reached")

    def after_epoch(self) -> None:
        if CLOCK.judged(self.learn.recorder.values[-1][-1]):
            raise CancelFitException("reached")


def main() -> None:
    """Train without a progress bar."""
    set_seed(WORK.seed)
    loaders = ImageDataLoaders.from_folder(
        WORK.pictures,
        train="train",
        valid="validation",
        item_tfms=Resize(460),
        batch_tfms=[*aug_transforms(size=PIXELS), Normalize.from_stats(MEAN, STD)],
        bs=min(64, sum(1 for _ in WORK.train.glob("*/*"))),
        num_workers=0,
    )
    learner = vision_learner(loaders, NETWORK, pretrained=False, normalize=False, metrics=accuracy)
    load_in_order(learner.model[0].model, WORK.weights)
    learner.freeze()
    learner.add_cb(Judge())
    with learner.no_bar(), learner.no_logging():
        learner.fine_tune(EPOCHS)
    learner.save(WORK.folder / "model")
    CLOCK.finish("fastai", "timm")


if __name__ == "__main__":
    main()
