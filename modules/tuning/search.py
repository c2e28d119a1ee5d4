"""The search: one training after the other, each with values of the strategy.

With successive halving, a training pauses at its checkpoint, and the best ones continue.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from modules.compute.distributed import ProcessGroup
from modules.compute.failures import exhaustion_explained, indeterminism_explained
from modules.context import Context, StepPausedError
from modules.errors import (
    ModuleError,
    ModuleOutOfMemoryError,
    RangeError,
    TrainingDivergedError,
    TrialsFailedError,
)
from modules.formatting import percent
from modules.search.halving import Decision, best_first, halved, num_promoted
from modules.search.pruning import Curve, is_behind
from modules.search.spaces import TrialValues, values_text
from modules.search.trials import Goal, best_of
from modules.sentences import compute, training
from modules.sentences import search as say
from modules.sentences.sentence import Statement
from modules.training.training_run import TrainingInputs, train_into
from modules.tuning.trial_progress import EpochsProgress, Progress, TrialsProgress
from modules.tuning.trial_records import Reason, TrialFolder, TrialRecord
from modules.tuning.trial_reports import TrialReports

if TYPE_CHECKING:
    from modules.training.loop import Outcome
    from modules.training.parameters import TrainParameters
    from modules.tuning.parameters import EarlyStopping, TuneParameters
    from modules.tuning.search_plan import SearchPlan

FAILURES_AT_START = 5
"""Number of failed trials, without any other before them, after which a search fails."""
ACCURACY, LOSS = "Top-1 validation accuracy", "Valid loss"
REPORTED = {
    "accuracy": ("Trial validation accuracy", "Best validation accuracy"),
    "loss": ("Trial validation loss", "Best validation loss"),
}
"""Metrics by trial: its own result, and the best one so far."""


class Search:
    """Search of one step. All processes make the same steps; the first one decides and writes."""

    def __init__(
        self,
        plan: SearchPlan,
        parameters: TuneParameters,
        inputs: TrainingInputs,
        group: ProcessGroup,
        folder: TrialFolder,
    ) -> None:
        self._plan = plan
        self._parameters = parameters
        self._inputs = inputs
        self._group = group
        self._folder = folder
        self._metric = ACCURACY if parameters.metric == "accuracy" else LOSS
        self.goal: Goal = "maximize" if parameters.metric == "accuracy" else "minimize"
        self.records: list[TrialRecord] = []
        self._halving = parameters.halving
        self._end_time = math.inf
        """Monotonic time at which the search ends."""
        self.ended_by_time = False
        self._epochs_progress: EpochsProgress | None = None

    @property
    def _context(self) -> Context:
        return self._group.context

    def run(self) -> TrialRecord:
        """Run the trials that have not ended; return the best one, whose model is stored.

        Raises ``TrialsFailedError`` (3107) if no trial ends with a model.
        """
        self._load()
        self._start_clock()
        first_pause = None if self._halving is None else self._halving.first_epoch
        for number in range(self._plan.num_trials):
            if any(record.number == number for record in self.records):
                continue
            values = self._values(number)
            if values is None or self._is_to_finish():
                break
            self._train(TrialRecord(number=number, values=values, state="failed"), first_pause)
            self._require_success(FAILURES_AT_START)
        self._halve()
        self._end_paused()
        self._require_success(1)
        self._replace_failed()
        return self._best_with_model()

    def _load(self) -> None:
        records: list[TrialRecord] = []
        if self._group.is_first:
            self._folder.prepare()
            records = self._folder.load(self._context)
        self.records = self._group.from_first(records)
        if self.records:
            self._print(f"resumed after {len(self.records)} trials")

    def _start_clock(self) -> None:
        """Start the time limit, less the seconds of earlier attempts, and the progress."""
        spent = sum(record.seconds for record in self.records)
        limit = self._parameters.search_time_limit * 60
        if limit:
            self._end_time = time.monotonic() + limit - spent
        if self._halving is not None:
            trained = sum(record.num_epochs for record in self.records)
            count, epochs = self._plan.num_trials, self._usual_epochs
            self._epochs_progress = EpochsProgress(count, self._halving, epochs, trained)

    @property
    def _usual_epochs(self) -> int:
        """Return the epochs of trainings with the settings that are not tried."""
        try:
            return self._inputs.suited(self._plan.base, self._group.world_size).epochs
        except RangeError:  # a batch size that is not tried, either
            return self._plan.base.epochs

    def _is_time_up(self) -> bool:
        """Return True on all processes if the time limit of the search is reached."""
        is_over = self._group.from_first(time.monotonic() >= self._end_time)
        self.ended_by_time = self.ended_by_time or is_over
        return is_over

    def _values(self, number: int) -> TrialValues | None:
        """Return the values of a trial: from those before it, whenever it is asked for."""
        before = [record.as_trial for record in self.records if record.number < number]
        values = self._plan.suggester.suggest(number, before) if self._group.is_first else None
        return self._group.from_first(values)

    def _is_to_finish(self) -> bool:
        """Return True on all processes if the user or the time ends the search with a model."""
        if self._best_so_far is None:
            return False
        context = self._context
        requested = self._group.from_first(context.cut_short or context.stop_requested)
        context.cut_short = context.cut_short or requested
        return bool(requested) or self._is_time_up()

    @property
    def _best(self) -> TrialRecord | None:
        return best_of(self.records, self.goal)

    @property
    def _best_so_far(self) -> TrialRecord | None:
        """Return the best trial that has a model or can be ended with one."""
        candidates = [one for one in self.records if one.state in ("completed", "paused")]
        return next(iter(best_first(candidates, self.goal)), None)

    def _require_success(self, fewest: int) -> None:
        """Raise if that many trials or more have failed and no other ended."""
        failed = [record for record in self.records if record.state == "failed"]
        if len(failed) < max(fewest, len(self.records)):
            return
        why = failed[0].reason or Reason(message="", cure="")
        raise TrialsFailedError(
            say.ALL_TRIALS_FAILED,
            count=len(failed),
            why=why.message,
            fix=why.cure,
            parameter="values_to_try",
        )

    def _best_with_model(self) -> TrialRecord:
        """Return the best trial; one whose model is lost is trained again."""
        while True:
            best = self._best
            assert best is not None
            if self._group.from_first(self._group.is_first and self._folder.has_model(best)):
                return best
            if self._group.is_first:
                self._context.warn(say.RECORD_DAMAGED, number=best.number + 1)
            self._train(best, None)

    # successive halving

    def _halve(self) -> None:
        """Continue the best paused trials from rung to rung, and stop the others.

        Those are stopped last: if one that continues fails, the next best one takes its place.
        """
        while (decision := self._decision()) is not None and not self._is_to_finish():
            if decision.promoted:
                self._train(decision.promoted[0], decision.next_epoch)
            else:
                for record in decision.stopped:
                    self._stop(record, say.BEHIND_OTHERS.about({"epoch": record.epoch}))

    def _decision(self) -> Decision[TrialRecord] | None:
        """Return what becomes of paused trials; None if there are none."""
        if self._halving is None:
            return None
        epochs = max((record.planned_epochs for record in self.records), default=0)
        return halved(self.records, self._halving, epochs, self.goal)

    def _end_paused(self) -> None:
        """End a search by halving that finishes early: the best paused trial gets its model."""
        while (best := self._best_so_far) is not None and best.state == "paused":
            self._train(best, None)  # the request or the time ends it after an iteration
            if self._best is not None:
                break
        for record in [one for one in self.records if one.state == "paused"]:
            # not stored: a step that is resumed with more time continues it
            self._replace(_stopped(record, say.SEARCH_ENDED.about({})))

    def _replace_failed(self) -> None:
        """Train the best stopped trial to its end if all that continued have failed."""
        while self._best is None:
            stopped = [record for record in self.records if record.state == "stopped"]
            self._train(best_first(stopped, self.goal)[0], None)

    def _stop(self, record: TrialRecord, reason: Statement) -> None:
        stopped = _stopped(record, reason)
        self._replace(stopped)
        if self._group.is_first:
            self._folder.save(stopped, self.records)

    def _replace(self, record: TrialRecord) -> None:
        """Put a record in the place of that of the same trial, or add it."""
        others = [one for one in self.records if one.number != record.number]
        self.records = sorted([*others, record], key=lambda one: one.number)

    def _drop_checkpoints(self) -> None:
        """Remove the checkpoints of trials that do not continue from the first rung for sure."""
        assert self._halving is not None
        first = self._halving.first_epoch
        paused = [one for one in self.records if one.state == "paused" and one.epoch == first]
        most = num_promoted(self._plan.num_trials, self._halving)
        for record in best_first(paused, self.goal)[most:]:
            self._folder.drop_checkpoints(record.number)

    # one trial

    def _train(self, before: TrialRecord, until: int | None) -> None:
        """Train a trial, or continue one that has paused.

        Args:
            before: Record until now, whose number and values count.
            until: Epoch at which it pauses; None: its last one.
        """
        number, values = before.number, before.values
        self._print(f"trial {number + 1}/{self._plan.num_trials}: {values_text(values)}")
        self._set_pause(number, until)
        others = [record for record in self.records if record.number != number]
        if self._epochs_progress is not None:
            self._epochs_progress.start_trial(sum(record.num_epochs for record in others))
        record, was_cut_short = self._ended(before, until)
        is_whole = not (was_cut_short or self._is_time_up())
        if self._group.is_first:
            self._report(record, others)
            if is_whole:  # otherwise a resumed search trains it to its end
                self._folder.save(record, others)
        self._replace(record)
        if record.state == "paused" and is_whole and self._group.is_first:
            self._drop_checkpoints()
        if self._group.device.type == "cuda":
            import torch

            torch.cuda.empty_cache()  # the next trial may need blocks of other sizes
        if was_cut_short:
            self._context.cut_short = True

    def _set_pause(self, number: int, until: int | None) -> None:
        """Say at which epoch a trial of successive halving pauses."""
        if self._halving is None or not self._group.is_first:
            return
        mark = self._folder.end_mark(number)
        if until is None:
            mark.unlink(missing_ok=True)
        else:
            mark.write_text(str(until), encoding="ascii")

    def _ended(self, before: TrialRecord, until: int | None) -> tuple[TrialRecord, bool]:
        """Train; return the result, and whether the user ended the training."""
        number, began = before.number, time.monotonic()
        reports = self._reports(number)
        group = replace(self._group, context=self._context_of(number, reports))
        record = TrialRecord(number=number, values=before.values, state="failed")
        try:
            settings = self._inputs.suited(self._plan.settings(before.values), group.world_size)
            record = record.model_copy(update={"planned_epochs": settings.epochs})
            outcome = self._outcome(number, settings, group)
            if self._group.is_first:
                record = self._completed(record, outcome).model_copy(update={"epoch": until})
        except StepPausedError as paused:
            record = record.model_copy(update=self._so_far(reports.curve, paused.epoch))
            if self._halving is None:
                record = _stopped(record, say.BEHIND_OTHERS.about({"epoch": paused.epoch}))
            else:
                record = record.model_copy(update={"state": "paused", "epoch": until})
        except ModuleError as error:
            if not self._concerns_one_trial(error):
                raise
            record = record.model_copy(update={"reason": _reason(error)})
        spent = before.seconds if before.state == "paused" else 0.0
        facts = {
            "seconds": round(spent + time.monotonic() - began, 2),
            "curve": dict(reports.curve),
            "num_parts": before.num_parts + 1,
        }
        return self._group.from_first((record.model_copy(update=facts), group.context.cut_short))

    def _outcome(self, number: int, settings: TrainParameters, group: ProcessGroup) -> Outcome:
        folder = self._folder.model(number)
        if group.is_first:
            folder = self._folder.fresh_model(number)
        with exhaustion_explained(settings.batch_size), indeterminism_explained():
            return train_into(folder, self._inputs, settings, group)

    def _completed(self, record: TrialRecord, outcome: Outcome) -> TrialRecord:
        row = outcome.history[outcome.best_epoch - 1]
        facts = {
            "state": "completed",
            "objective": row[self._metric],
            "metrics": row,
            "best_epoch": outcome.best_epoch,
            "num_epochs": len(outcome.history),
            "weights_hash": self._folder.weights_hash(record.number),
        }
        return record.model_copy(update=facts)

    def _so_far(self, curve: Curve, epoch: int) -> Mapping[str, object]:
        """Return the result of a trial that has not ended: its best value until then."""
        best = max if self.goal == "maximize" else min
        value = best(curve.values(), default=None)
        metrics = {} if value is None else {self._metric: value}
        return {"objective": value, "metrics": metrics, "num_epochs": epoch}

    def _concerns_one_trial(self, error: ModuleError) -> bool:
        """Return True if other values may do better; all processes must have the same error."""
        if isinstance(error, TrainingDivergedError | RangeError):
            return True
        is_memory = isinstance(error, ModuleOutOfMemoryError)
        return is_memory and self._group.is_alone and error.reason != compute.NO_DISK_SPACE.key

    # reports

    def _reports(self, number: int) -> TrialReports:
        progress: Progress | None = self._epochs_progress
        if progress is None:
            seconds = [record.seconds for record in self.records]
            progress = TrialsProgress(number, self._plan.num_trials, seconds)
        reports = TrialReports(self._context, self._metric, self._folder.curve(number), progress)
        rule = self._parameters.early_stopping
        if rule is not None and self._halving is None:
            reports.on_epoch = self._stopping(number, rule)
        return reports

    def _stopping(self, number: int, rule: EarlyStopping) -> Callable[[Curve, int], None]:
        """Return the decision after an epoch: the trial ends if its curve is behind others."""
        others = [record.curve for record in self.records if record.state != "failed"]

        def decide(curve: Curve, epoch: int) -> None:
            if is_behind(curve, others, rule, self.goal):
                self._folder.end_mark(number).write_text(str(epoch), encoding="ascii")

        return decide

    def _context_of(self, number: int, reports: TrialReports) -> Context:
        """Return the context of a trial: its own checkpoints, no pause from outside, the limit."""
        return replace(
            self._context,
            checkpoint_dir=self._folder.checkpoints(number),
            pause_path=self._folder.end_mark(number),
            end_time=self._end_time,
            emit=reports,
        )

    def _report(self, record: TrialRecord, others: list[TrialRecord]) -> None:
        """Report the result of a trial as points of two curves, and print it.

        With successive halving a trial has a point for each of its parts.
        """
        text = record.reason.message if record.reason is not None else ""
        if record.state in ("completed", "paused") and record.objective is not None:
            own, best_name = REPORTED[self._parameters.metric]
            compared = [one for one in (*others, record) if one.state in ("completed", "paused")]
            at = record.number + 1
            if self._halving is not None:
                at = record.num_parts + sum(one.num_parts for one in others)
            self._context.metric(own, record.objective, at)
            best = best_first(compared, self.goal)[0]
            if best.objective is not None:
                self._context.metric(best_name, best.objective, at)
            text = f"after epoch {record.num_epochs}: {self._metric} {record.objective:.4g}"
        if record.state == "completed":
            share, loss = percent(record.metrics[ACCURACY]), record.metrics[LOSS]
            text = f"{share:.1f} % top-1, loss {loss:.4g}, best epoch {record.best_epoch}"
        self._print(f"trial {record.number + 1} {record.state}: {text}")

    def _print(self, text: str) -> None:
        if self._group.is_first:
            print(text, flush=True)  # the driver log


def _stopped(record: TrialRecord, reason: Statement) -> TrialRecord:
    """Return the record of a trial that was stopped early."""
    facts = {"state": "stopped", "reason": Reason(message=reason.message, cure="")}
    return record.model_copy(update=facts)


def _reason(error: ModuleError) -> Reason:
    """Return the reason of a failed trial, without files that are removed with it."""
    said = error.statement
    if said is not None and said.sentence is training.DIVERGED_BUT_KEPT:
        why = said.facts["why"]
        return Reason(message=why.message, cure=why.cure)
    return Reason(message=error.message, cure=error.cure)
