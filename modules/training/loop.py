"""The training loop: epochs, a validation after each, and the best weights."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from modules.compute.throughput import Speed
from modules.compute.timing import SAVING, VALIDATING
from modules.context import StepPausedError
from modules.errors import TrainingDivergedError
from modules.image_loading.prefetch import BatchPlan, BatchReader
from modules.models.implausible_weights import find_implausible
from modules.sentences import training as say
from modules.training.checkpoint import Checkpoints, unchanging
from modules.training.early_stopping import Deadline, Patience
from modules.training.epoch import Epoch, Pass, check_plausible, diverged, training_plan
from modules.training.report import Report, metric_row
from modules.training.throughput_limit import step_rate
from modules.training.validation import validate, validation_plan

if TYPE_CHECKING:
    import torch

    from modules.training.session import Networks, Session

Weights = dict[str, "torch.Tensor"]


@dataclass
class Progress:
    """The state of a training; this is what a checkpoint holds besides model and optimizer."""

    patience: Patience
    epoch: int = 0
    """The last finished epoch, counted from 1."""
    history: list[dict[str, float]] = field(default_factory=list)
    best_weights: Weights | None = None
    """Without the tensors of a frozen backbone."""
    spent_seconds: float = 0.0
    """Seconds of earlier attempts."""

    def remember(self, row: dict[str, float], networks: Networks) -> None:
        """Count a finished epoch, and keep the weights if they are the best yet."""
        self.epoch += 1
        self.history.append(row)
        if self.patience.observe(self.epoch, row["Valid loss"]):
            self.best_weights = unchanging(networks.learned_state())


@dataclass(frozen=True)
class Outcome:
    """A finished training; the model holds the best epoch's weights."""

    history: list[dict[str, float]]
    """One row per epoch, under the names of the metrics."""
    best_epoch: int
    reason: str | None
    """Reason why it ended before its last epoch, or None."""
    speed: Speed | None
    """Speed of this attempt; None if nothing was left to train."""
    num_images: int
    """Number of images that this attempt trained or validated on, summed over epochs."""
    seconds: float
    """Seconds this attempt needed for them."""


@dataclass
class TrainingRate:
    """Images and seconds of this attempt's passes over the training images."""

    num_images: int = 0
    num_validated: int = 0
    """Number of validation images, summed over passes."""
    num_steps: int = 0
    seconds: float = 0.0

    def count(self, done: Pass, num_steps: int) -> None:
        """Add a pass."""
        self.num_images += done.averages.num_images
        self.num_steps += num_steps
        self.seconds += done.seconds

    def speed(self, session: Session) -> Speed | None:
        """Return the speed and this machine's limit; the session's watch has stopped."""
        if not self.num_steps:
            return None
        rate = self.num_images / max(self.seconds, 1e-9)
        limit = step_rate(session, self.seconds / self.num_steps, self.seconds)
        return Speed(rate, session.watch.shares(), limit)


def train(session: Session, checkpoints: Checkpoints) -> Outcome:
    """Train the session's model; raise ``TrainingDivergedError`` if its loss or weights diverge.

    The best weights until then are kept in a file, which the error names.
    """
    scaler = session.networks.precision.scaler()
    progress = _resume(session, checkpoints, scaler)
    report = Report(session, progress.epoch * session.optimisation.iterations_per_epoch)
    report.start(progress.epoch)
    pace = TrainingRate()
    session.watch.start(session.data.opening_seconds)
    with closing(BatchReader(_plans(session, progress.epoch))) as reader:
        try:
            reason = _epochs(session, checkpoints, progress, report, scaler, pace, reader)
        except TrainingDivergedError as error:
            raise _keep_best(session, checkpoints, progress, error) from error
    with session.watch.during(SAVING):
        checkpoints.wait()
    session.watch.stop()
    report.end(progress.epoch, reason)
    seconds = session.watch.total_seconds - session.data.opening_seconds
    speed = pace.speed(session)
    if progress.best_weights is not None:
        session.networks.load_learned(progress.best_weights)
    num_images = pace.num_images + pace.num_validated
    best_epoch = progress.patience.best_epoch
    return Outcome(progress.history, best_epoch, reason, speed, num_images, seconds)


def _plans(session: Session, finished_epochs: int) -> Iterator[BatchPlan]:
    """Yield the reading plans, pass after pass, until training ends."""
    for epoch in range(finished_epochs + 1, session.settings.epochs + 1):
        yield training_plan(session, epoch)
        yield validation_plan(session)


def _epochs(
    session: Session,
    checkpoints: Checkpoints,
    progress: Progress,
    report: Report,
    scaler: torch.amp.GradScaler | None,
    pace: TrainingRate,
    reader: BatchReader,
) -> str | None:
    """Train epoch after epoch; return why it ended before the last one, or None."""
    settings = session.settings
    deadline = Deadline(session.group.context, settings.time_limit, progress.spent_seconds)
    reason = _patience_over(progress)
    if reason is None and _is_to_pause(session, progress.epoch):
        raise StepPausedError(progress.epoch)  # a runner that died had not heard of it
    while progress.epoch < settings.epochs and reason is None:
        epoch = progress.epoch + 1
        done = Epoch(session, epoch, report, deadline, scaler).run(reader.next_pass())
        reason = done.reason
        pace.count(done, session.optimisation.iterations_per_epoch)
        # Stopped within an epoch: the best weights of a whole epoch count. If there are none, the
        # current weights are validated, so that there is a model to return.
        if reason is not None and progress.best_weights is not None:
            break
        with session.watch.during(VALIDATING):
            validation = validate(session, reader.next_pass())
        pace.num_validated += validation.num_images
        # The last step's loss was finite, but the weights after it may not be.
        if not math.isfinite(validation.loss):
            raise diverged(session, epoch)
        # Nor does the loss depend on all weights: some are not used for images of this size.
        if progress.patience.improves(validation.loss):
            check_plausible(session, epoch)
        row = metric_row(
            done.learning_rate,
            done.seconds,
            done.averages,
            validation,
            len(session.data.classes),
        )
        with session.watch.during(SAVING):
            checkpoints.wait()  # clients that hear of this epoch may rely on the one before
        progress.remember(row, session.networks)
        report.epoch(epoch, row)
        if epoch < settings.epochs:  # else it did not end early
            reason = reason or _patience_over(progress)
        is_to_pause = reason is None and _is_to_pause(session, epoch)
        # The last epoch is saved too: a runner that dies before the model is written resumes there.
        is_end = reason or epoch == settings.epochs or is_to_pause
        if epoch % settings.checkpoint_every == 0 or is_end:
            with session.watch.during(SAVING):
                _save(session, checkpoints, progress, scaler, deadline.spent_seconds)
        if is_to_pause:
            checkpoints.wait()
            raise StepPausedError(epoch)
    return reason


def _is_to_pause(session: Session, epoch: int) -> bool:
    """Return True on all processes if the training pauses after an epoch that is not the last."""
    if not 0 < epoch < session.settings.epochs or session.group.context.pause_path is None:
        return False
    return bool(session.group.from_first(session.group.context.is_to_pause(epoch)))


def _keep_best(
    session: Session, checkpoints: Checkpoints, progress: Progress, error: TrainingDivergedError
) -> TrainingDivergedError:
    """Keep the best weights for another training; return the error with their location, on all."""
    path = None
    if session.group.is_first and progress.best_weights is not None:
        epoch = progress.patience.best_epoch
        weights = {**session.networks.model.state_dict(), **progress.best_weights}
        description = {**session.description, "pipeline": session.group.context.document}
        path = checkpoints.keep_weights(epoch, weights, description)
    path = session.group.from_first(path)
    if path is None:
        return error
    return TrainingDivergedError(
        say.DIVERGED_BUT_KEPT,
        why=error.statement,
        epoch=progress.patience.best_epoch,
        weights=path,
        parameter=error.parameter,
        remedy=error.remedy,
        details=error.details,
    )


def _patience_over(progress: Progress) -> str | None:
    if not progress.patience.is_over:
        return None
    return f"no lower validation loss in {progress.patience.limit} epochs"


def _save(
    session: Session,
    checkpoints: Checkpoints,
    progress: Progress,
    scaler: torch.amp.GradScaler | None,
    spent_seconds: float,
) -> None:
    if not session.group.is_first:
        return
    checkpoints.wait()  # so that only one copy of the state is in memory
    is_best = progress.patience.best_epoch == progress.epoch
    state = {
        "model": progress.best_weights if is_best else unchanging(session.networks.learned_state()),
        "optimizers": unchanging(session.optimisation.optimizers.state_dict()),
        "scaler": scaler.state_dict() if scaler else None,
        "patience": progress.patience.to_json(),
        "history": list(progress.history),
        "best_weights": progress.best_weights,
        "spent_seconds": spent_seconds,
    }
    checkpoints.save(progress.epoch, state)


def _resume(
    session: Session, checkpoints: Checkpoints, scaler: torch.amp.GradScaler | None
) -> Progress:
    """Return the state of an earlier attempt; else a fresh start."""
    learned = session.networks.learned_names

    def is_plausible(state: dict[str, Any]) -> bool:
        kept = state["model"], state["best_weights"] or {}
        return all(find_implausible(weights, learned) is None for weights in kept)

    checkpoint = checkpoints.load(is_plausible) if session.group.is_first else None
    # The first process's files count, as other machines may not see them. All resume from the same
    # epoch, or all start from scratch.
    state = session.group.from_first(checkpoint)
    if state is None:
        return Progress(Patience(session.settings.patience))
    session.networks.load_learned(state["model"])
    session.optimisation.optimizers.load_state_dict(state["optimizers"])
    if scaler is not None and state["scaler"] is not None:
        scaler.load_state_dict(state["scaler"])
    return Progress(
        Patience(session.settings.patience, **state["patience"]),
        state["epoch"],
        state["history"],
        state["best_weights"],
        state["spent_seconds"],
    )
