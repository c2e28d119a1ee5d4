"""fastai's Learner; of its own recipe: aug_transforms and one cycle of ten epochs at 3e-3."""

from __future__ import annotations

import warnings
from typing import Any

import torch
import torchvision  # noqa: F401 - its import is no part of training

from benchmarks.peers.training import (
    CROP_SCALE,
    MOMENTUM,
    RATE,
    WEIGHT_DECAY,
    Clock,
    Work,
    new_network,
    read_work,
)

warnings.simplefilter("ignore")
WORK = read_work()
CLOCK = Clock(WORK, "fastai")

from fastai.vision.all import (  # noqa: E402  (whoever trains with it waits for this import)
    SGD,
    Callback,
    CancelFitException,
    Flip,
    ImageDataLoaders,
    Learner,
    Normalize,
    ParamScheduler,
    RandomResizedCropGPU,
    Resize,
    SaveModelCallback,
    SchedPoly,
    accuracy,
    aug_transforms,
    partial,
    set_seed,
)


class Ticks(Callback):
    """Tells the clock, after the weights of the epoch are saved."""

    order = 70

    def after_epoch(self) -> None:
        if CLOCK.epoch(self.learn.recorder.values[-1][-1]):
            raise CancelFitException("reached")


def read(work: Work) -> Any:
    """Its loaders, with the random operations on whole batches as it recommends."""
    varied = [RandomResizedCropGPU(work.size, min_scale=CROP_SCALE[0]), Flip()]
    return ImageDataLoaders.from_folder(
        work.pictures,
        train="train",
        valid="validation",
        item_tfms=Resize(work.size if work.own_recipe else work.resized),
        batch_tfms=[*(aug_transforms() if work.own_recipe else varied), Normalize()],
        bs=work.batch_size,
        num_workers=work.workers,
        seed=work.seed,
    )


def main() -> None:
    """Train without a progress bar."""
    set_seed(WORK.seed)
    network = new_network(WORK)
    saving = SaveModelCallback(every_epoch=True, with_opt=True)
    if WORK.own_recipe:
        learner = Learner(read(WORK), network, metrics=accuracy, model_dir=WORK.folder)
        fit = partial(learner.fit_one_cycle, WORK.epochs, 3e-3)
    else:
        optimizer = partial(SGD, mom=MOMENTUM, wd=WEIGHT_DECAY)
        learner = Learner(
            read(WORK), network, opt_func=optimizer, metrics=accuracy, model_dir=WORK.folder
        )
        falling = ParamScheduler({"lr": SchedPoly(RATE, 0.0, 2)})
        fit = partial(learner.fit, WORK.epochs, RATE, cbs=[falling])
    learner.add_cbs([saving, Ticks()])
    with learner.no_bar(), learner.no_logging():
        fit()
    CLOCK.finish()


if __name__ == "__main__":
    torch.multiprocessing.set_sharing_strategy("file_system")
    main()
