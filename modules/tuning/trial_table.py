"""The table of trials: one row per trial, in the order of their numbers from 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from modules.search.trials import Goal, ranked
from modules.tuning.search_plan import SearchPlan
from modules.tuning.trial_records import TrialRecord

if TYPE_CHECKING:
    import pandas as pd

METRICS = ("Top-1 validation accuracy", "Valid loss")


def trial_table(plan: SearchPlan, records: Sequence[TrialRecord], goal: Goal) -> pd.DataFrame:
    """Return rank, values, metrics and reason of each trial; ranks are of completed ones."""
    import pandas as pd

    ranks = {record.number: rank for rank, record in enumerate(ranked(records, goal), start=1)}
    rows = [_row(plan, record, ranks.get(record.number)) for record in records]
    whole = ("rank", "best epoch")
    return pd.DataFrame(rows).astype(dict.fromkeys(whole, "Int64"))


def _row(plan: SearchPlan, record: TrialRecord, rank: int | None) -> Mapping[str, object]:
    settings = plan.settings(record.values)
    return {
        "trial": record.number + 1,
        "rank": rank,
        "state": record.state,
        **{name: getattr(settings, name) for name in plan.spaces},
        **{name: record.metrics.get(name) for name in METRICS},
        "best epoch": record.best_epoch,
        "epochs trained": record.num_epochs,
        "seconds": record.seconds,
        "reason": record.reason.message if record.reason is not None else None,
    }
