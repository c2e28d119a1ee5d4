"""Start and end of each phase of a step."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add them; earlier steps have none."""
    op.add_column("steps", sa.Column("phases", sa.JSON(), nullable=True))
