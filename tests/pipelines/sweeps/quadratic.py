"""A user's modules: one reports a quadratic curve, as a training reports its epochs."""

from __future__ import annotations

import math
import random
import time
from pathlib import Path
from typing import Annotated, Literal, Self

from modules import (
    Artifact,
    Context,
    Field,
    ModuleError,
    Parameters,
    PortDoc,
    module,
    read_json,
    write_json,
)
from modules.context import StepPausedError

CATEGORY = "Curves"


class Level(Artifact):
    """``level.json``: one number."""

    colour = "green"

    @classmethod
    def write(cls, folder: Path, value: float) -> Self:
        write_json(folder / "level.json", value)
        return cls(folder)

    @property
    def value(self) -> float:
        return float(read_json(self.path / "level.json"))


class BaseParameters(Parameters):
    value: float = Field(10.0, title="Value", description="The number to give.")


@module(title="Base", category=CATEGORY, summary="Give a level.", icon="hash")
def base(parameters: BaseParameters, context: Context) -> Level:
    """Give the number of its parameter."""
    return Level.write(context.new_folder(), parameters.value)


class QuadraticParameters(Parameters):
    x: float = Field(0.0, ge=-10, le=10, title="X", description="Place on the curve.")
    y: float = Field(0.0, ge=-10, le=10, title="Y", description="Other place on the curve.")
    epochs: int = Field(1, ge=1, le=100, title="Epochs", description="Number of points.")
    seconds: float = Field(0.0, ge=0, le=60, title="Seconds", description="Seconds a point.")
    kind: Literal["bowl", "silent", "not a number", "fails", "fails above 5"] = Field(
        "bowl", title="Kind", description="What it does."
    )
    noise: float = Field(0.0, ge=0, title="Noise", description="Share of chance in the result.")
    random_seed: int = Field(1, ge=0, title="Seed", description="Seed of the noise.")
    label: str = Field("a", max_length=20, title="Label", description="Some text.")


@module(title="Quadratic", category=CATEGORY, summary="Report a curve.", icon="circle")
def quadratic(
    level: Annotated[Level, PortDoc("The highest value.")],
    parameters: QuadraticParameters,
    context: Context,
) -> Level:
    """Report level - (x - 3)^2 - y^2, less in earlier epochs."""
    if parameters.kind == "fails" or (parameters.kind == "fails above 5" and parameters.x > 5):
        raise ModuleError("It went wrong.", cure="Choose another kind.", parameter="kind")
    value = level.value - (parameters.x - 3) ** 2 - parameters.y**2
    value += parameters.noise * random.Random(parameters.random_seed).uniform(-1, 1)
    assert context.checkpoint_dir is not None
    checkpoint = context.checkpoint_dir / "epoch.json"
    last = int(read_json(checkpoint)) if checkpoint.exists() else 0
    for epoch in range(last + 1, parameters.epochs + 1):
        time.sleep(parameters.seconds)
        if parameters.kind == "not a number":
            context.metric("score", math.nan, epoch)
        elif parameters.kind != "silent":
            context.metric("score", value - (parameters.epochs - epoch), epoch)
            context.metric("error", -value, epoch)
        context.checkpoint_dir.mkdir(exist_ok=True)
        write_json(checkpoint.with_suffix(".new"), epoch)
        checkpoint.with_suffix(".new").replace(checkpoint)
        if epoch < parameters.epochs and context.is_to_pause(epoch):
            raise StepPausedError(epoch)
    return Level.write(context.new_folder(), value)


MODULES = (base, quadratic)
