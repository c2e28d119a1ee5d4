"""Rules of aliases, and the history of their moves."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def _text(length: int) -> Any:
    return sa.String(length).with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add the rule to aliases, and create the table of moves."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("model_aliases", sa.Column("rule", sa.JSON(none_as_null=True)))
    op.create_table(
        "alias_moves",
        sa.Column(
            "model_id", whole, sa.ForeignKey("models.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("alias", _text(120), primary_key=True),
        sa.Column("moved", sa.Float, primary_key=True),
        sa.Column("version", whole),
        sa.Column("previous", whole),
        sa.Column("rule", sa.JSON(none_as_null=True)),
        sa.Column("moved_by", _text(120), nullable=False),
        sa.Column("via", _text(20), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("comparison", sa.JSON(none_as_null=True)),
        sa.Column("forced", sa.Boolean, nullable=False),
    )
