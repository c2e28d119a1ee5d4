"""Highest number of a model's deleted versions, so that none is reused."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column; it is raised when a version is deleted."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    last = sa.Column("last_version", whole, nullable=False, server_default="0")
    op.add_column("models", last)
