"""Sweeps and their trials."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def _text(length: int) -> Any:
    return sa.String(length).with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "sweeps",
        sa.Column("id", _text(64), primary_key=True),
        sa.Column("name", _text(200), nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("state", _text(20), nullable=False),
        sa.Column("reason", sa.JSON(none_as_null=True)),
        sa.Column("notes", sa.JSON, nullable=False),
        sa.Column("pipeline_id", _text(64)),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("started", sa.Float, nullable=False),
        sa.Column("finished", sa.Float),
    )
    op.create_index("ix_sweeps_state", "sweeps", ["state"])
    op.create_index("ix_sweeps_pipeline_id", "sweeps", ["pipeline_id"])
    op.create_table(
        "sweep_trials",
        sa.Column(
            "sweep",
            _text(64),
            sa.ForeignKey("sweeps.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("number", whole, primary_key=True),
        sa.Column("values", sa.JSON, nullable=False),
        sa.Column("state", _text(20), nullable=False),
        sa.Column("run_id", _text(64)),
        sa.Column("objective", sa.Float),
        sa.Column("epoch", whole),
        sa.Column("reason", sa.JSON(none_as_null=True)),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("finished", sa.Float),
    )
    op.create_index("ix_sweep_trials_run_id", "sweep_trials", ["run_id"])
