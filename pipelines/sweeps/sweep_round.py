"""One round of a sweep: trials that ended are settled, and others are started as runs.

A trial becomes a row with its values before its run is submitted; the submission has the trial's
key. After the kill of any process the next round continues with the same trials; none runs twice.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeGuard

from pydantic import JsonValue

from modules.search.strategies import RandomSuggester, Suggester
from modules.search.trials import OPEN, Trial
from modules.sentences import compute
from modules.sentences import search as search_sentences
from modules.sentences.sentence import Statement
from pipelines.document.settings import SweepSettings
from pipelines.errors import DatabaseAwayError, DesignerError, RefusedError
from pipelines.execution.disk_exhaustion import is_scarce
from pipelines.problems import UNKNOWN_COMPUTE_TARGET, PipelineError, errors_in
from pipelines.runs.run_service import RunService
from pipelines.runs.single_submission import SingleSubmission
from pipelines.sentences import calling, steps
from pipelines.sentences import sweeps as sentences
from pipelines.store.database.sweeps import (
    STATE_BEFORE_REPEATS,
    StoredReason,
    SweepRow,
    SweepState,
    SweepStore,
    TrialRow,
)
from pipelines.sweeps.halving import Halving
from pipelines.sweeps.objective import outcome_of, primary_objective
from pipelines.sweeps.repeats import is_repeat, own_trials
from pipelines.sweeps.suggest import make_suggester
from pipelines.sweeps.trial_curves import TrialCurves
from pipelines.sweeps.trial_request import trial_request

logger = logging.getLogger(__name__)

FAILURES_AT_START = 5
"""Number of failed trials, without any that completed, after which a sweep fails."""
DISK_FULL_REASONS = frozenset(
    sentence.key for sentence in (steps.STEP_DISK_FULL, steps.RUN_DISK_FULL, compute.NO_DISK_SPACE)
)
"""Reasons of failed runs that their values are not to blame for."""
ENDED = frozenset({"completed", "failed", "cancelled", "paused"})


class SweepRound:
    """One look at an active sweep."""

    def __init__(
        self,
        runs: RunService,
        store: SweepStore,
        row: SweepRow,
        now: float,
        curves: TrialCurves,
    ) -> None:
        self._curves = curves
        self._runs = runs
        self._store = store
        self._row = row
        self._now = now
        self._settings = SweepSettings.model_validate(row.settings)
        self._trials = store.trials(row.id)

    def advance(self) -> None:
        """Settle ended trials, then start others, or end the sweep."""
        self._settle()
        if self._row.state == "stopping":
            self._stop()
            return
        if STATE_BEFORE_REPEATS in self._row.notes:
            self._repeat()
            return
        self._stop_poor()
        reason = self._reason_to_end()
        if reason is None:
            reason = self._plan_trials()
        if reason is not None:
            self._halve()
        self._continue()
        if reason is not None and not self._in_states(*OPEN):
            self._end(reason)

    @property
    def _own(self) -> list[TrialRow]:
        """The trials of the strategy, without repetitions."""
        return own_trials(self._trials, self._settings)

    def _in_states(self, *states: str) -> list[TrialRow]:
        return [trial for trial in self._trials if trial.state in states]

    def _set(self, trial: TrialRow, **values: Any) -> None:
        self._store.set_trial(self._row.id, trial.number, **values)
        self._trials[trial.number] = replace(trial, **values)

    # results

    def _settle(self) -> None:
        statuses = self._store.run_statuses(self._row.id)
        for trial in self._in_states("running"):
            status = statuses.get(trial.run_id or "")
            if status is None or status in ENDED:
                self._conclude(trial, status)

    def _conclude(self, trial: TrialRow, status: str | None) -> None:
        """Record the end of a trial's run; None: the run was deleted."""
        assert trial.run_id is not None
        if status is None:
            self._close(trial, "cancelled", sentences.RUN_DELETED.about({}))
        elif status == "completed":
            self._complete(trial, trial.run_id)
        elif status == "paused":
            self._keep_value(trial, trial.run_id, "paused")
        elif status == "cancelled" and trial.reason is not None:  # it was behind others
            self._keep_value(trial, trial.run_id, "stopped")
        elif status == "cancelled" and self._row.state == "stopping":
            self._set(trial, state="interrupted")
        elif status == "cancelled":
            self._close(trial, "cancelled", sentences.CANCELLED_BY_HAND.about({}))
        elif self._was_disk_full(trial.run_id):
            self._set(trial, state="interrupted")
            self._stop_for(sentences.DISK_IS_FULL.about({}))
        else:
            self._close(trial, "failed", self._problem_of(trial.run_id))

    def _complete(self, trial: TrialRow, run_id: str) -> None:
        objective = self._settings.objective
        if objective is None:
            objective = primary_objective(self._runs, run_id)
            if objective is None:
                self._close(trial, "failed", sentences.NO_METRICS.about({}))
                return
            self._settings = self._settings.model_copy(update={"objective": objective})
            self._store.set_settings(self._row.id, self._settings.model_dump(mode="json"))
        outcome = outcome_of(self._runs, run_id, objective)
        if outcome.value is None:
            self._close(trial, "failed", outcome.fault)
        else:
            self._set(
                trial,
                state="completed",
                objective=outcome.value,
                reason=None,
                finished=self._now,
            )

    def _keep_value(self, trial: TrialRow, run_id: str, state: str) -> None:
        """Record the value so far of a trial that has paused or was stopped early."""
        assert self._settings.objective is not None
        outcome = outcome_of(self._runs, run_id, self._settings.objective)
        if outcome.value is None and state == "paused":
            self._close(trial, "failed", outcome.fault)
        else:
            finished = None if state == "paused" else self._now
            self._set(trial, state=state, objective=outcome.value, finished=finished)

    def _close(self, trial: TrialRow, state: str, reason: Statement | None) -> None:
        recorded = None if reason is None else as_reason(reason)
        self._set(trial, state=state, reason=recorded, finished=self._now)

    def _was_disk_full(self, run_id: str) -> bool:
        """Return True if a run failed because of the disk, even if it has room again."""
        problem = self._runs.store.state(run_id).problem
        reason = None if problem is None else problem.get("reason")
        return reason in DISK_FULL_REASONS or is_scarce(self._runs.workspace)

    def _problem_of(self, run_id: str) -> Statement:
        problem = self._runs.store.state(run_id).problem
        if problem is None:
            return sentences.FAILED_WITHOUT_REASON.about({})
        facts = {"message": problem["message"], "cure": problem["cure"]}
        return sentences.TRIAL_FAILED.about(facts)

    # ends

    def _stop(self) -> None:
        """Cancel what runs; the sweep is stopped once that has ended."""
        for trial in self._in_states("running"):
            assert trial.run_id is not None
            self._cancel(trial.run_id)
        if not self._in_states("running"):
            self._store.set_state(
                self._row.id, "stopped", only_from=("stopping",), reason=self._row.reason
            )

    def _stop_for(self, reason: Statement) -> None:
        self._store.set_state(
            self._row.id, "stopping", only_from=("running",), reason=as_reason(reason)
        )

    def _reason_to_end(self) -> Statement | str | None:
        """Return why no further trial is started; an empty text if all have been."""
        failed = self._in_states("failed")
        has_success = bool(self._in_states("completed", "stopped"))
        if not has_success and len(failed) >= FAILURES_AT_START:
            facts = {"count": len(failed), "why": failed[0].why or ""}
            return sentences.FIRST_FAILED.about(facts)
        minutes = self._settings.max_minutes
        # at least one trial: a runner that starts late does not use up the time
        if minutes and self._trials and self._now - self._row.started > minutes * 60:
            return sentences.TIME_IS_UP.about({"minutes": minutes})
        return None

    def _end(self, reason: Statement | str) -> None:
        failed = self._in_states("failed")
        if self._in_states("completed") or not failed:
            recorded = as_reason(reason) if isinstance(reason, Statement) else None
            self._store.set_state(
                self._row.id, "completed", only_from=("running",), reason=recorded
            )
            return
        if not isinstance(reason, Statement):
            facts = {"why": failed[0].why or ""}
            reason = sentences.ALL_FAILED.about(facts)
        self._store.set_state(
            self._row.id, "failed", only_from=("running",), reason=as_reason(reason)
        )

    # starts

    def _continue(self) -> None:
        """Submit planned trials, and resume interrupted and promoted ones while there is room."""
        self._submit_planned()
        for trial in self._in_states("interrupted"):
            if self._has_room:
                self._resume(trial)

    def _submit_planned(self) -> None:
        """Submit planned trials while there is room; repetitions are planned all at once."""
        for trial in self._in_states("planned"):
            if len(self._in_states("running")) < self._settings.parallel:
                self._submit(trial)

    def _repeat(self) -> None:
        """Run the planned repetitions, and nothing else; then the sweep is what it was before."""
        self._submit_planned()
        for trial in self._in_states("interrupted"):
            if is_repeat(trial, self._settings) and self._has_room:
                self._resume(trial)
        repeats = [trial for trial in self._trials if is_repeat(trial, self._settings)]
        if any(trial.state in OPEN for trial in repeats):
            return
        before = str(self._row.notes[STATE_BEFORE_REPEATS])
        state: SweepState = "stopped" if before == "stopped" else "completed"
        self._store.end_repeats(self._row.id, state)

    def _plan_trials(self) -> str | None:
        """Plan trials while there is room; return an empty text if nothing is left to plan."""
        self._continue()
        most = self._settings.max_trials or 0
        while self._has_room and len(self._own) < most:
            number = len(self._trials)
            values = self._suggested()
            if values is None:
                return ""
            if not self._store.plan(self._row.id, number, values, self._halving.first_epoch):
                return None  # stopped meanwhile
            self._trials = self._store.trials(self._row.id)
            self._submit(self._trials[number])
            if self._reason_to_end() is not None:  # submissions fail
                return None
        return "" if len(self._own) >= most else None

    @property
    def _has_room(self) -> bool:
        return len(self._in_states("planned", "running")) < self._settings.parallel

    def _resume(self, trial: TrialRow) -> None:
        """Continue a trial that a stop of the sweep has cancelled, or that was promoted."""
        assert trial.run_id is not None
        self._set(trial, state="running", reason=None)
        try:
            self._runs.resume(trial.run_id, pause=self._halving.pause_of(trial))
        except RefusedError:
            logger.info("Run %s had completed", trial.run_id)

    # early stopping

    @cached_property
    def _halving(self) -> Halving:
        return Halving.of(self._settings, self._row.document, self._runs.catalog)

    def _halve(self) -> None:
        """Promote the best trials of a rung that all have reached, and stop the others."""
        decision = self._halving.decision(self._trials)
        while decision is not None:
            for trial in decision.promoted:
                self._set(trial, state="interrupted", epoch=decision.next_epoch)
            for trial in decision.stopped:
                reason = search_sentences.BEHIND_OTHERS.about({"epoch": trial.epoch})
                self._close(trial, "stopped", reason)
            decision = self._halving.decision(self._trials)

    def _stop_poor(self) -> None:
        """Cancel running trials whose curves are behind those of others."""
        pruning, objective = self._settings.pruning, self._settings.objective
        if pruning is None or objective is None or pruning.kind == "halving":
            return
        for trial, epoch in self._curves.behind(self._own, objective, pruning):
            if trial.reason is None:
                reason = search_sentences.BEHIND_OTHERS.about({"epoch": epoch})
                self._set(trial, reason=as_reason(reason), epoch=epoch)
        for trial in self._in_states("running"):
            if trial.reason is not None and trial.run_id is not None:
                self._cancel(trial.run_id)

    def _cancel(self, run_id: str) -> None:
        state = self._runs.store.state(run_id)
        if not state.is_finished and not state.cancel_requested:
            self._runs.cancel(run_id)

    # submission

    def _suggested(self) -> dict[str, JsonValue] | None:
        """Return values of the strategy, or random ones if it raises."""
        trials = as_trials(self._own)
        number = len(trials)
        try:
            return make_suggester(self._settings).suggest(number, trials)
        except Exception as error:  # whatever a strategy raises, the sweep continues
            logger.exception("The strategy of sweep %s failed", self._row.id)
            why = f"{type(error).__name__}: {error}"[:300]
            count = int(self._row.notes.get("failures", 0)) + 1
            note = sentences.SUGGESTER_FAILED.about({"why": why, "count": count})
            self._store.set_notes(self._row.id, {**as_reason(note), "failures": count})
            fallback: Suggester = RandomSuggester(self._settings.parameters, self._settings.seed)
            return fallback.suggest(number, trials)

    def _submit(self, trial: TrialRow) -> None:
        source, key = f"sweep:{self._row.id}", str(trial.number)
        try:
            pause = self._halving.pause_of(trial)
            request = trial_request(self._runs, self._row, self._settings, trial, pause)
            run = SingleSubmission(self._runs, source).submit(key, request, {})
        except (DesignerError, PipelineError) as error:
            if isinstance(error, RefusedError) and error.reason == calling.CALL_UNDER_WAY.key:
                return  # another process is submitting it
            if isinstance(error, DatabaseAwayError):
                raise
            if is_scarce(self._runs.workspace):  # it stays planned
                self._stop_for(sentences.DISK_IS_FULL.about({}))
                return
            if _lacks_target(error):  # no values are to blame: it stays planned, too
                self._stop_for(sentences.TARGET_LOST.about({"message": error.problems[0].message}))
                return
            facts = {"message": str(error)[:1000], "cure": ""}
            self._close(trial, "failed", sentences.TRIAL_FAILED.about(facts))
        else:
            self._set(trial, state="running", run_id=run.run_id)


def _lacks_target(error: DesignerError | PipelineError) -> TypeGuard[PipelineError]:
    """Return True if a compute target of the pipeline was removed."""
    if not isinstance(error, PipelineError):
        return False
    codes = {problem.code for problem in errors_in(error.problems)}
    return codes == {UNKNOWN_COMPUTE_TARGET.code}


def as_trials(rows: Sequence[TrialRow]) -> list[Trial]:
    """Return stored trials as strategies see them."""
    return [Trial(row.number, row.values, row.state, row.objective) for row in rows]


def as_reason(said: Statement) -> StoredReason:
    """Return a statement as stored: its text, and what it takes to say it in another language."""
    return {"message": said.message, "cure": said.cure, **said.to_json()}
