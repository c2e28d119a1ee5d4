"""Steps keep when each of their phases began and ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add them; of steps of before none are known."""
    op.add_column("steps", sa.Column("phases", sa.JSON(), nullable=True))
