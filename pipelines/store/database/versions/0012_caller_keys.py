"""Hashed keys with which programs call endpoints and published pipelines."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the table of keys."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    text = sa.Text(collation="C")
    op.create_table(
        "caller_keys",
        sa.Column("owner", sa.String(120).with_variant(text, "postgresql"), primary_key=True),
        sa.Column("slot", whole, primary_key=True),
        sa.Column("digest", sa.String(64).with_variant(text, "postgresql"), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
