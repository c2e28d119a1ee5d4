"""Lightning's Trainer; of its own recipe: Adam at 1e-3 on whole pictures, flipped at random."""

from __future__ import annotations

import logging
import warnings
from typing import Any

import torch
import torchvision  # noqa: F401 - its import is no part of training
from torch import nn

from benchmarks.peers.training import (
    Clock,
    Work,
    loaders,
    new_network,
    optimizer_and_schedule,
    read_work,
)

WORK = read_work()
CLOCK = Clock(WORK, "lightning")

import lightning  # noqa: E402  (whoever trains with it waits for this import)


class Classifier(lightning.LightningModule):
    """A network with the training and the validation of one batch."""

    def __init__(self, work: Work, num_steps: int) -> None:
        super().__init__()
        self.work, self.num_steps = work, num_steps
        self.network, self.loss = new_network(work), nn.CrossEntropyLoss()

    def training_step(self, batch: Any, _: int) -> torch.Tensor:
        images, labels = batch
        return self.loss(self.network(images), labels)

    def validation_step(self, batch: Any, _: int) -> None:
        images, labels = batch
        right = (self.network(images).argmax(dim=1) == labels).float().mean()
        self.log("accuracy", right, batch_size=len(labels))

    def configure_optimizers(self) -> Any:
        if self.work.own_recipe:
            return torch.optim.Adam(self.parameters(), lr=1e-3)
        optimizer, schedule = optimizer_and_schedule(self.parameters(), self.num_steps)
        return {
            "optimizer": optimizer,
            "lr_scheduler": {"scheduler": schedule, "interval": "step"},
        }


class Ticks(lightning.Callback):
    """Tells the clock; the checkpoint of an epoch is written before."""

    def on_train_epoch_end(self, trainer: Any, _: Any) -> None:
        trainer.should_stop = CLOCK.epoch(trainer.callback_metrics["accuracy"])


def main() -> None:
    """Train as the Trainer does by default, without progress bar and logger."""
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    torch.manual_seed(WORK.seed)
    batches, judging = loaders(WORK)
    trainer = lightning.Trainer(
        max_epochs=WORK.epochs,
        default_root_dir=WORK.folder,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
        callbacks=[Ticks()],
    )
    trainer.fit(Classifier(WORK, WORK.epochs * len(batches)), batches, judging)
    CLOCK.finish()


if __name__ == "__main__":
    main()
