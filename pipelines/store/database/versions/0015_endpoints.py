"""Deployed endpoints."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the table of endpoints."""
    text = sa.Text(collation="C")
    op.create_table(
        "endpoints",
        sa.Column("name", sa.String(100).with_variant(text, "postgresql"), primary_key=True),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("process", sa.JSON, nullable=False),
        sa.Column("served", sa.JSON(none_as_null=True)),
        sa.Column("stopped", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
