"""Results of the trials of one search, kept between attempts of its step.

A trial is on disk before the next one starts: a search that was killed continues with the trials
that are left. Only the best model is kept, and checkpoints of paused trials that may continue.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from modules.context import Context
from modules.files.json_files import read_if_valid, write_durably
from modules.json_model import JsonModel
from modules.search.spaces import TrialValues
from modules.search.trials import Goal, Trial, best_of
from modules.sentences import search as say

WEIGHTS_FILE = "model.safetensors"
_FOLDER_LETTERS = 32


class Reason(JsonModel):
    """Reason why a trial has no model."""

    message: str
    cure: str


class TrialRecord(JsonModel):
    """Result of a trial; numbers count from 0."""

    number: int
    values: TrialValues
    state: Literal["completed", "failed", "stopped", "paused"]
    objective: float | None = None
    epoch: int | None = None
    """Epoch at which successive halving pauses it, or has paused it; None for a failed trial."""
    planned_epochs: int = 0
    """Epochs of its training, if nothing ends it early."""
    num_parts: int = 0
    """Number of trainings from one pause of successive halving to the next."""
    metrics: dict[str, float] = {}
    """Metrics of the epoch whose weights are kept."""
    best_epoch: int | None = None
    num_epochs: int = 0
    seconds: float = 0.0
    """Seconds of its last attempt, of each part."""
    curve: dict[int, float] = {}
    """Values of the compared metric by epoch."""
    reason: Reason | None = None
    weights_hash: str | None = None

    @property
    def as_trial(self) -> Trial:
        """Return the trial as strategies see it."""
        return Trial(self.number, self.values, self.state, self.objective)


class TrialFolder:
    """Files of a search in a folder; those of other searches in it are removed.

    ``identity`` names everything that decides the results of the trials. Only the first process of
    a search writes and reads them.
    """

    def __init__(self, root: Path, identity: str, goal: Goal) -> None:
        self._root = root
        name = hashlib.sha256(identity.encode()).hexdigest()[:_FOLDER_LETTERS]
        self._folder = root / f"trials-{name}"
        self._goal: Goal = goal

    def prepare(self) -> None:
        """Create the folder, and remove those of other searches."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for other in self._root.glob("trials-*"):
            if other != self._folder:
                shutil.rmtree(other, ignore_errors=True)

    def load(self, context: Context) -> list[TrialRecord]:
        """Return the ended trials by number; damaged ones are removed, with a warning."""
        records: list[TrialRecord] = []
        for path in sorted(self._folder.glob("trial-*.json")):
            record = _read(path)
            if record is None:
                context.warn(say.RECORD_DAMAGED, number=int(path.stem.partition("-")[2]) + 1)
                path.unlink()
            else:
                records.append(record)
        return records

    def save(self, record: TrialRecord, records: list[TrialRecord]) -> None:
        """Store an ended or paused trial, then remove the files that it does not need.

        ``records`` are those of the other trials.
        """
        write_durably(self._record(record.number), record.model_dump(mode="json"))
        best = best_of([*records, record], self._goal)
        for other in (*records, record):
            if best is None or other.number != best.number:
                shutil.rmtree(self.model(other.number), ignore_errors=True)
        if record.state != "paused":
            self.drop_checkpoints(record.number)
        self.end_mark(record.number).unlink(missing_ok=True)

    def drop_checkpoints(self, number: int) -> None:
        """Remove what a trial continues from; if it does, it starts from its first epoch."""
        shutil.rmtree(self.checkpoints(number), ignore_errors=True)
        self.curve(number).unlink(missing_ok=True)

    def has_model(self, record: TrialRecord) -> bool:
        """Return True if the model of a trial is complete and unchanged."""
        try:
            return record.weights_hash == self.weights_hash(record.number)
        except OSError:
            return False

    def weights_hash(self, number: int) -> str:
        """Return the hash of the weights of a trial's model."""
        with (self.model(number) / WEIGHTS_FILE).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def fresh_model(self, number: int) -> Path:
        """Return an empty folder for the model of a trial."""
        folder = self.model(number)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def model(self, number: int) -> Path:
        return self._folder / f"model-{number:04d}"

    def checkpoints(self, number: int) -> Path:
        return self._folder / f"checkpoints-{number:04d}"

    def curve(self, number: int) -> Path:
        """Return the file with the curve of a trial that is running."""
        return self._folder / f"curve-{number:04d}.json"

    def end_mark(self, number: int) -> Path:
        """Return the file whose existence ends a trial after its next epoch."""
        return self._folder / f"end-{number:04d}"

    def _record(self, number: int) -> Path:
        return self._folder / f"trial-{number:04d}.json"


def _read(path: Path) -> TrialRecord | None:
    content = read_if_valid(path)
    try:
        return None if content is None else TrialRecord.model_validate(content)
    except ValidationError:
        return None
