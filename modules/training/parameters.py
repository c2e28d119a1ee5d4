"""The parameters of Train PyTorch Model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from modules.parameters import AddedLater, Group, Parameters, ShownWhen, Unit
from modules.sentences import training as say
from modules.spec import ParameterFinding

ADVANCED = Group("Advanced", folded=True)
DOUBLE_EPSILON = 2.220446049250313e-16
LARGEST_RATE = 1.0
"""Maximum rate of SGD: ten times the usual one for random weights; trainings diverge beyond it."""
LARGEST_SEED = 2**53 - 1
"""The largest integer that JSON carries unchanged through a browser."""


class TrainParameters(Parameters):
    epochs: int = Field(5, gt=0, description="Number of passes over all training images.")
    batch_size: Annotated[int, Unit("images per process")] = Field(
        16,
        gt=0,
        description="Images per step and process. Larger is faster and needs more memory.",
    )
    warmup_step_number: Annotated[int, Unit("epochs")] = Field(
        0,
        ge=0,
        description="Number of epochs in which the learning rate rises from near zero to its full "
        "value.",
    )
    learning_rate: float = Field(
        0.001,
        ge=DOUBLE_EPSILON,
        description="Maximum step size. It is multiplied by the number of processes and decays to "
        "near zero. 0.001 suits pretrained weights; for random weights 0.1 (0.05-0.1) is common. "
        "Azure's page on this module names both: 0.001 in its text, 0.1 in its table.",
    )
    random_seed: int = Field(
        1,
        ge=-LARGEST_SEED,
        le=LARGEST_SEED,
        description="Seed of all random numbers: initial weights, order of images, augmentation.",
    )
    patience: Annotated[int, Unit("epochs")] = Field(
        3,
        gt=0,
        description="Training ends after this number of epochs without a new lowest validation "
        "loss. Epochs are counted from the best one: a loss that falls but stays above the best "
        "one does not restart the count.",
    )
    print_frequency: Annotated[int, Unit("iterations")] = Field(
        10,
        gt=0,
        description="Number of iterations between two lines of the log.",
    )
    optimizer: Annotated[Literal["sgd", "adamw", "muon"], ADVANCED] = Field(
        "sgd",
        description="sgd with Nesterov momentum; adamw; or muon (Muon for kernels, AdamW for the "
        "rest). For adamw and muon, use a learning rate of about 0.001.",
    )
    schedule: Annotated[Literal["decay", "one cycle"], ADVANCED, AddedLater()] = Field(
        "decay",
        title="Learning rate schedule",
        description="decay falls from the full learning rate after the warm-up. one cycle rises "
        "during the warm-up, or 30 % of the training, then falls in a cosine (Smith and Topin "
        "2018). It suits fine-tuning; set Patience to Epochs, as the loss rises in between.",
    )
    decay_power: Annotated[float, ADVANCED, ShownWhen("schedule", ("decay",))] = Field(
        2.0,
        gt=0,
        le=10,
        description="Shape of the learning rate's decay. 1 is a straight line, which suits "
        "trainings of few epochs. 2 falls steeply and stays low for longer.",
    )
    weight_decay: Annotated[float, ADVANCED] = Field(
        1e-4,
        ge=0,
        description="Strength of the pull towards zero. It applies only to kernels of "
        "convolutions and linear layers, not to biases and normalisation. torch.optim.SGD alone "
        "applies it to all of them.",
    )
    momentum: Annotated[float, ADVANCED, ShownWhen("optimizer", ("sgd", "muon"))] = Field(
        0.9,
        ge=0,
        lt=1,
        description="Fraction of the previous step that is added to the next one.",
    )
    label_smoothing: Annotated[float, ADVANCED] = Field(
        0.0,
        ge=0,
        lt=1,
        description="Fraction of each training label that is spread over all classes. 0.1 is "
        "common.",
    )
    class_weights: Annotated[Literal["none", "balanced"], ADVANCED] = Field(
        "none",
        description="balanced gives rare classes the same weight as frequent ones in the training "
        "loss.",
    )
    batch_norm: Annotated[Literal["learned", "frozen"], ADVANCED, AddedLater()] = Field(
        "learned",
        title="Batch normalization",
        description="frozen keeps the means and deviations of the starting weights while all "
        "other weights are trained, with a new head that starts at zero. It suits fine-tuning on "
        "few images, from which they cannot be learned.",
    )
    precision: Annotated[Literal["auto", "fp32", "bf16", "fp16"], ADVANCED] = Field(
        "auto",
        description="Number format of the forward pass. auto uses bf16, or fp16 on GPUs before "
        "Ampere that support it.",
    )
    compile: Annotated[Literal["auto", "on", "off"], ADVANCED] = Field(
        "auto",
        description="Use torch.compile: minutes of preparation, then faster steps. auto compiles "
        "long trainings on a GPU.",
    )
    reproducible: Annotated[Literal["off", "on"], ADVANCED] = Field(
        "off",
        description="on produces bit-identical weights on the same machine with the same number "
        "of threads and processes. It allows only fp32 and deterministic kernels, which can halve "
        "the images per second.",
    )
    checkpoint_every: Annotated[int, ADVANCED, Unit("epochs")] = Field(
        1,
        gt=0,
        description="A cancelled or crashed training resumes from the last checkpoint.",
    )
    time_limit: Annotated[float, ADVANCED, Unit("minutes")] = Field(
        0.0,
        ge=0,
        description="Training ends after this number of minutes with its best model. 0 means no "
        "limit.",
    )

    frozen_head: Annotated[Literal["automatic", "as set"], ADVANCED, AddedLater()] = Field(
        "automatic",
        title="Frozen layers",
        description="Settings if only the head is trained. automatic: the head starts at zero and "
        "is trained with a linear decay, by adamw with 0.005 while Optimizer and Learning rate "
        "have their defaults; the default of Batch size becomes 8 to 64 for the number of images. "
        "On stored features, the defaults of Epochs and Patience become 50 and 15, sgd is the "
        "default with fewer than five images per class, and up to 50 training images are also "
        "seen slightly enlarged and reduced. as set: all settings as they are.",
    )

    @property
    def is_reproducible(self) -> bool:
        return self.reproducible == "on"

    @property
    def freezes_batch_norm(self) -> bool:
        return self.batch_norm == "frozen"


def check_settings(settings: TrainParameters) -> Iterable[ParameterFinding]:
    """Check settings that are each valid but contradict each other."""
    if settings.warmup_step_number >= settings.epochs:
        yield ParameterFinding.of(
            "warmup_step_number",
            say.ONLY_WARM_UP,
            warm_up=settings.warmup_step_number,
            epochs=settings.epochs,
        )
    if settings.is_reproducible and settings.precision in ("bf16", "fp16"):
        yield ParameterFinding.of("precision", say.ROUNDS_DIFFERENTLY, precision=settings.precision)
    if settings.optimizer == "sgd" and settings.learning_rate > LARGEST_RATE:
        yield ParameterFinding.of(
            "learning_rate", say.RATE_BEYOND_REASON, rate=settings.learning_rate
        )
    if settings.optimizer != "sgd" and settings.learning_rate > 0.02:
        yield ParameterFinding.of(
            "learning_rate",
            say.RATE_OF_SGD,
            rate=settings.learning_rate,
            optimizer=settings.optimizer,
        )
