"""Names of pipeline versions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the column; earlier versions have no name."""
    on_postgresql = op.get_bind().dialect.name == "postgresql"
    text = sa.Text(collation="C") if on_postgresql else sa.String(length=100)
    op.add_column("pipeline_revisions", sa.Column("name", text, nullable=True))
