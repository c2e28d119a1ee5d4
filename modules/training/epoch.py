"""One pass over the training images.

Shape letters: N images of a batch, K classes, C channels, H height, W width.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modules.compute.seeds import derived_seed
from modules.compute.timing import WAITING
from modules.errors import TrainingDivergedError, evidence
from modules.image_loading.prefetch import Batch, BatchPlan
from modules.image_loading.samplers import training_batches
from modules.models.implausible_weights import find_implausible
from modules.models.logits import logits_of
from modules.sentences import training as say
from modules.training.early_stopping import Deadline
from modules.training.metrics import Averages, Sums
from modules.training.report import Report
from modules.training.step import training_loss

if TYPE_CHECKING:
    import torch

    from modules.training.session import Session

LOOK_EVERY = 10
"""Iterations between two checks for *Finish early* if several processes must agree."""


@dataclass(frozen=True)
class Pass:
    """Results of one epoch."""

    averages: Averages
    """Averages over all processes."""
    learning_rate: float
    """Learning rate of the last iteration."""
    seconds: float
    reason: str | None
    """Reason why training should end here, or None."""


def training_plan(session: Session, epoch: int) -> BatchPlan:
    """Return the reading plan of this process for an epoch, counted from 1."""
    seed, group = session.settings.random_seed, session.group
    batches = training_batches(
        len(session.data.training),
        session.settings.batch_size,
        session.optimisation.smallest_batch,
        seed,
        epoch,
        group.rank,
        group.world_size,
    )
    return session.data.training.plan(batches, derived_seed("images", seed, epoch))


class Epoch:
    """An epoch, counted from 1; its randomness depends only on (seed, epoch, rank)."""

    def __init__(
        self,
        session: Session,
        number: int,
        report: Report,
        deadline: Deadline,
        scaler: torch.amp.GradScaler | None,
    ) -> None:
        import torch

        self._session = session
        self._number = number
        self._report = report
        self._deadline = deadline
        self._scaler = scaler
        self._sums = Sums(session.group.device)
        self._loss = training_loss(session)
        self._start = self._ready = time.monotonic()
        self._own_seconds = 0.0
        seed = derived_seed("epoch", session.settings.random_seed, number, session.group.rank)
        torch.manual_seed(seed)
        self._generator = torch.Generator().manual_seed(seed)

    def run(self, batches: Iterator[Batch]) -> Pass:
        """Step through the batches of the plan, or until training should end."""
        session, data = self._session, self._session.data.training
        session.networks.set_training_mode()
        first = (self._number - 1) * session.optimisation.iterations_per_epoch
        rate, reason = 0.0, None
        for iteration, (indices, pixels) in enumerate(session.watch.waits(batches), start=1):
            rate = session.optimisation.schedule.rate(first + iteration - 1)
            with session.watch.during(WAITING):
                images_NCHW = data.preparation(pixels, self._generator)
            with session.group.threads.step(len(indices)):
                self._step(images_NCHW, data.labels_of(indices), rate)
            self._tell(iteration)
            # After the step: even a training that is stopped at once has learnt from one batch.
            reason = self._reason_to_stop(iteration)
            if reason is not None:
                break
            self._ready = time.monotonic()
        return Pass(self._finite_averages(), rate, self._seconds, reason)

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._start

    def _step(self, images_NCHW: torch.Tensor, labels_N: torch.Tensor, rate: float) -> None:
        session, targets = self._session, labels_N
        if session.data.mixture:
            images_NCHW, targets = session.data.mixture(images_NCHW, labels_N, self._generator)
        with session.networks.autocast():
            logits_NK = logits_of(session.networks.network, images_NCHW)
        loss = self._loss(logits_NK, targets)
        # From here on processes wait for each other. The time before belongs to this process alone.
        self._own_seconds += time.monotonic() - self._ready
        (loss if self._scaler is None else self._scaler.scale(loss)).backward()
        session.optimisation.optimizers.set_rate(rate)
        session.optimisation.optimizers.step(self._scaler)
        self._sums.add(loss.detach(), logits_NK.detach(), labels_N)

    def _tell(self, iteration: int) -> None:
        if iteration % self._session.settings.print_frequency == 0:
            self._report.line(self._number, iteration, self._finite_averages(), self._seconds)
        own = self._own_seconds / iteration
        self._report.progress(self._number, iteration, self._sums, self._seconds, own)

    def _finite_averages(self) -> Averages:
        """Return the averages over all processes; raise on all if any loss is not finite."""
        averages = self._sums.read(self._session)
        if not averages.is_finite:
            raise diverged(self._session, self._number)
        return averages

    def _reason_to_stop(self, iteration: int) -> str | None:
        """Return the same answer on every process."""
        group = self._session.group
        if group.is_alone:
            return self._deadline.reason_to_stop()
        # Only the first process checks for the request, then all agree. A single process that stops
        # would leave the others waiting for its gradients. The last iteration always asks, as a
        # pass may be short.
        if iteration % LOOK_EVERY and iteration < self._session.optimisation.iterations_per_epoch:
            return None
        reason = self._deadline.reason_to_stop() if group.is_first else None
        return (reason or "finished early") if group.any(reason is not None) else None


def check_plausible(session: Session, epoch: int) -> None:
    """Raise ``TrainingDivergedError`` if the model's weights are implausible."""
    networks = session.networks
    fault = find_implausible(networks.learned_state(), networks.learned_names)
    if fault is None:
        return
    lower = _lower_rate(session)
    is_rounded = networks.is_rounded
    name, value = ("precision", "fp32") if is_rounded else ("learning_rate", lower)
    sentence = say.IMPLAUSIBLE_ROUNDED_WEIGHTS if is_rounded else say.IMPLAUSIBLE_WEIGHTS
    raise TrainingDivergedError(
        sentence.about({**fault.facts, "epoch": epoch, "lower": lower}),
        parameter=name,
        remedy={"set": {name: value}},
        details=_settings_evidence(session, epoch),
    )


def diverged(session: Session, epoch: int) -> TrainingDivergedError:
    """Return the error of a loss that is NaN or infinite, with a learning rate to try."""
    lower = _lower_rate(session)
    return TrainingDivergedError(
        say.DIVERGED,
        epoch=epoch,
        rate=session.settings.learning_rate,
        lower=lower,
        parameter="learning_rate",
        remedy={"set": {"learning_rate": lower}},
        details=_settings_evidence(session, epoch),
    )


def _lower_rate(session: Session) -> float:
    """Return a lower learning rate to try."""
    usual = 0.1 if session.settings.optimizer == "sgd" else 0.001
    return float(f"{min(session.settings.learning_rate / 10, usual):.2g}")


def _settings_evidence(session: Session, epoch: int) -> dict[str, Any]:
    """Return the settings of the failed training, for the table of an error."""
    processes = session.group.world_size
    per_process = f" x {processes} processes" if processes > 1 else ""
    rows = [
        ("Learning rate", f"{session.settings.learning_rate:g}{per_process}"),
        ("Peak learning rate", f"{session.optimisation.schedule.peak:g}"),
        ("Optimizer", session.settings.optimizer),
        ("Precision", session.networks.precision.name),
        ("Failed in epoch", f"{epoch} of {session.settings.epochs}"),
    ]
    return evidence("loss", "Training settings", rows)
