"""Ultralytics classify: torchvision's body under its own head; its own recipe is its defaults."""

from __future__ import annotations

import os
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
    read_work,
)

WORK = read_work()
CLOCK = Clock(WORK, "ultralytics")
os.environ.update(
    YOLO_AUTOINSTALL="false", YOLO_OFFLINE="true", YOLO_CONFIG_DIR=str(WORK.folder / "settings")
)

from ultralytics import settings  # noqa: E402  (its settings are read on import)
from ultralytics.models.yolo.classify import ClassificationTrainer  # noqa: E402

# channels of the body's output, and how many layers at its end make no part of it
BODIES = {"resnet18": (512, 2), "resnet50": (2048, 2), "densenet121": (1024, 1)}
SAME = {
    "optimizer": "SGD",
    "lr0": RATE,
    "lrf": 0.0,
    "cos_lr": True,
    "momentum": MOMENTUM,
    "weight_decay": WEIGHT_DECAY,
    "warmup_epochs": 0,
    "scale": 1 - CROP_SCALE[0],
    "auto_augment": None,
    "erasing": 0.0,
    "hsv_h": 0.0,
    "hsv_s": 0.0,
    "hsv_v": 0.0,
}


def write_body(work: Work) -> str:
    """The network as one of its files, with random weights."""
    channels, num_cut = BODIES[work.network]
    num_classes = sum(1 for each in work.train.iterdir() if each.is_dir())
    path = work.folder / "body.yaml"
    body = f"[{channels}, {work.network}, null, True, {num_cut}]"
    path.write_text(
        f"nc: {num_classes}\n"
        f"backbone:\n  - [-1, 1, TorchVision, {body}]\n"
        "head:\n  - [-1, 1, Classify, [nc]]\n"
    )
    return str(path)


def tick(trainer: Any) -> None:
    """Tell the clock, after the weights of the epoch are saved."""
    trainer.stop = CLOCK.epoch(trainer.metrics["metrics/accuracy_top1"]) or trainer.stop


def main() -> None:
    """Train without drawings."""
    settings.update({"sync": False})
    validation = WORK.pictures / "val"
    if not validation.exists():
        validation.symlink_to(WORK.validation)
    overrides = {
        "model": write_body(WORK),
        "data": str(WORK.pictures),
        "epochs": WORK.epochs,
        "imgsz": WORK.size,
        "batch": WORK.batch_size,
        "workers": WORK.workers,
        "seed": WORK.seed,
        "project": str(WORK.folder),
        "pretrained": False,
        "plots": False,
        "verbose": False,
        "device": "0" if torch.cuda.is_available() else "cpu",
        **({} if WORK.own_recipe else SAME),
    }
    trainer = ClassificationTrainer(overrides=overrides)
    trainer.add_callback("on_model_save", tick)
    trainer.train()
    CLOCK.finish()


if __name__ == "__main__":
    main()
