"""Schedules and their firings."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def _text(length: int) -> Any:
    return sa.String(length).with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "schedules",
        sa.Column("name", _text(100), primary_key=True),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("state", sa.JSON, nullable=False),
        sa.Column("paused", sa.Text),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "firings",
        sa.Column(
            "schedule",
            _text(100),
            sa.ForeignKey("schedules.name", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("planned", whole, primary_key=True),
        sa.Column("status", _text(20), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("run_id", _text(64)),
        sa.Column("reason", sa.JSON(none_as_null=True)),
    )
    op.create_index("ix_firings_status", "firings", ["status"])
