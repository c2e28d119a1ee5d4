"""Results of runs, and the primary metric of pipelines."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add both; results of earlier runs are computed when they are listed."""
    op.add_column("runs", sa.Column("results", sa.JSON(), nullable=True))
    op.add_column("pipelines", sa.Column("headline", sa.JSON(), nullable=True))
