"""The search: one training after the other, each with values of the strategy."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

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
from modules.search.pruning import Curve, is_behind
from modules.search.spaces import values_text
from modules.search.trials import Goal, best_of
from modules.sentences import compute, training
from modules.sentences import search as say
from modules.training.training_run import TrainingInputs, train_into
from modules.tuning.trial_records import Reason, TrialFolder, TrialRecord
from modules.tuning.trial_reports import TrialReports

if TYPE_CHECKING:
    from modules.training.loop import Outcome
    from modules.tuning.parameters import EarlyStopping, TuneParameters
    from modules.tuning.search_plan import Plan

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
        plan: Plan,
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

    @property
    def _context(self) -> Context:
        return self._group.context

    def run(self) -> TrialRecord:
        """Run the trials that have not ended; return the best one, whose model is stored.

        Raises ``TrialsFailedError`` (3107) if no trial ends with a model.
        """
        self._load()
        for number in range(self._plan.num_trials):
            if any(record.number == number for record in self.records):
                continue
            values = self._values(number)
            if values is None or self._is_to_finish():
                break
            self._train(number, values)
            self._require_success(FAILURES_AT_START)
        self._require_success(1)
        return self._best_with_model()

    def _load(self) -> None:
        records: list[TrialRecord] = []
        if self._group.is_first:
            self._folder.prepare()
            records = self._folder.load(self._context)
        self.records = self._group.from_first(records)
        if self.records:
            self._print(f"resumed after {len(self.records)} trials")

    def _values(self, number: int) -> dict[str, Any] | None:
        """Return the values of a trial: from those before it, whenever it is asked for."""
        before = [record.as_trial for record in self.records if record.number < number]
        values = self._plan.suggester.suggest(number, before) if self._group.is_first else None
        return self._group.from_first(values)

    def _is_to_finish(self) -> bool:
        """Return True on all processes if the user ends the search and there is a model."""
        if self._best is None:
            return False
        context = self._context
        requested = self._group.from_first(context.cut_short or context.stop_requested)
        context.cut_short = context.cut_short or requested
        return bool(requested)

    @property
    def _best(self) -> TrialRecord | None:
        return best_of(self.records, self.goal)

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
            self.records.remove(best)
            self._train(best.number, best.values)

    # one trial

    def _train(self, number: int, values: dict[str, Any]) -> None:
        self._print(f"trial {number + 1}/{self._plan.num_trials}: {values_text(values)}")
        record, was_cut_short = self._ended(number, values)
        if self._group.is_first:
            self._report(record)
            if not was_cut_short:  # a resumed search trains it to its end
                self._folder.save(record, self.records)
        self.records = sorted([*self.records, record], key=lambda one: one.number)
        if self._group.device.type == "cuda":
            import torch

            torch.cuda.empty_cache()  # the next trial may need blocks of other sizes
        if was_cut_short:
            self._context.cut_short = True

    def _ended(self, number: int, values: dict[str, Any]) -> tuple[TrialRecord, bool]:
        """Train; return the result, and whether the user ended the training."""
        began = time.monotonic()
        reports = self._reports(number)
        group = replace(self._group, context=self._context_of(number, reports))
        record = TrialRecord(number=number, values=values, state="failed")
        try:
            outcome = self._outcome(number, values, group)
            if self._group.is_first:
                record = self._completed(record, outcome)
        except StepPausedError as paused:
            reason = say.BEHIND_OTHERS.about({"epoch": paused.epoch})
            facts = {"reason": Reason(message=reason.message, cure="")}
            record = record.model_copy(update={**facts, "state": "stopped"})
            record = record.model_copy(update=self._so_far(reports.curve, paused.epoch))
        except ModuleError as error:
            if not self._concerns_one_trial(error):
                raise
            record = record.model_copy(update={"reason": _reason(error)})
        seconds = round(time.monotonic() - began, 2)
        record = record.model_copy(update={"seconds": seconds, "curve": dict(reports.curve)})
        return self._group.from_first((record, group.context.cut_short))

    def _outcome(self, number: int, values: dict[str, Any], group: ProcessGroup) -> Outcome:
        settings = self._plan.settings(values)
        settings = self._inputs.suited(settings, group.world_size)
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

    def _so_far(self, curve: Curve, epoch: int) -> dict[str, Any]:
        """Return the result of a trial that was stopped early: its best value until then."""
        best = max if self.goal == "maximize" else min
        return {"objective": best(curve.values(), default=None), "num_epochs": epoch}

    def _concerns_one_trial(self, error: ModuleError) -> bool:
        """Return True if other values may do better; all processes must have the same error."""
        if isinstance(error, TrainingDivergedError | RangeError):
            return True
        is_memory = isinstance(error, ModuleOutOfMemoryError)
        return is_memory and self._group.is_alone and error.reason != compute.NO_DISK_SPACE.key

    # reports

    def _reports(self, number: int) -> TrialReports:
        reports = TrialReports(
            self._context,
            number,
            self._plan.num_trials,
            [record.seconds for record in self.records],
            self._metric,
            self._folder.curve(number),
        )
        rule = self._parameters.early_stopping
        if rule is not None:
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
        """Return the context of a trial: its own checkpoints, and no pause from outside."""
        return replace(
            self._context,
            checkpoint_dir=self._folder.checkpoints(number),
            pause_path=self._folder.end_mark(number),
            emit=reports,
        )

    def _report(self, record: TrialRecord) -> None:
        """Report the result of a trial as points of two curves, and print it."""
        text = record.reason.message if record.reason is not None else ""
        if record.state == "completed":
            own, best_name = REPORTED[self._parameters.metric]
            best = best_of([*self.records, record], self.goal)
            at = record.number + 1
            assert record.objective is not None
            self._context.metric(own, record.objective, at)
            if best is not None and best.objective is not None:
                self._context.metric(best_name, best.objective, at)
            share, loss = percent(record.metrics[ACCURACY]), record.metrics[LOSS]
            text = f"{share:.1f} % top-1, loss {loss:.4g}, best epoch {record.best_epoch}"
        self._print(f"trial {record.number + 1} {record.state}: {text}")

    def _print(self, text: str) -> None:
        if self._group.is_first:
            print(text, flush=True)  # the driver log


def _reason(error: ModuleError) -> Reason:
    """Return the reason of a failed trial, without files that are removed with it."""
    said = error.statement
    if said is not None and said.sentence is training.DIVERGED_BUT_KEPT:
        why = said.facts["why"]
        return Reason(message=why.message, cure=why.cure)
    return Reason(message=error.message, cure=error.cure)
