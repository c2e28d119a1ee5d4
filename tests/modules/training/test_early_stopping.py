"""When training ends early."""

from __future__ import annotations

from pathlib import Path

from modules.context import Context
from modules.training.early_stopping import Deadline, Patience


def test_patience_counts_epochs_since_the_best_one() -> None:
    patience = Patience(2)
    losses = [1.0, 0.5, 0.7, 0.4, 0.41, 0.42]
    news = [patience.observe(epoch, loss) for epoch, loss in enumerate(losses, start=1)]
    assert news == [True, True, False, True, False, False]
    assert patience.is_over
    assert patience.best_epoch == 4


def test_an_equal_or_undefined_loss_is_no_improvement() -> None:
    patience = Patience(2, best_loss=0.5, best_epoch=1)
    assert not patience.observe(2, 0.5)
    assert not patience.observe(3, float("nan"))
    assert patience.is_over


def test_the_time_of_earlier_attempts_counts(tmp_path: Path) -> None:
    assert Deadline(Context(tmp_path), 1.0, 59.0).reason_to_stop() is None
    assert Deadline(Context(tmp_path), 1.0, 60.0).reason_to_stop() == "time limit reached"
    assert Deadline(Context(tmp_path), 0.0, 1e9).reason_to_stop() is None


def test_the_stop_file_is_seen(tmp_path: Path) -> None:
    stop = tmp_path / "stop"
    stop.touch()
    assert Deadline(Context(tmp_path, stop_path=stop), 0, 0).reason_to_stop() is not None
