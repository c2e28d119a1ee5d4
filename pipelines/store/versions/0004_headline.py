"""Runs keep what their curves came to; pipelines know which metric their users look at."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add both; what runs of before came to is worked out when they are listed."""
    op.add_column("runs", sa.Column("results", sa.JSON(), nullable=True))
    op.add_column("pipelines", sa.Column("headline", sa.JSON(), nullable=True))
