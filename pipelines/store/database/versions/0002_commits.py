"""Author of each revision, so that a repeated commit is stored once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the client (browser tab), its commit number and the number of nodes."""
    with op.batch_alter_table("pipeline_revisions") as table:
        table.add_column(sa.Column("client", sa.String(length=64), nullable=True))
        table.add_column(sa.Column("seq", sa.Integer(), nullable=True))
        table.add_column(sa.Column("num_nodes", sa.Integer(), nullable=False, server_default="0"))
