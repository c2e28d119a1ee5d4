"""Index of a run's events other than points of curves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the index."""
    others = sa.text("kind <> 'MetricLogged'")
    op.create_index(
        "events_but_points",
        "events",
        ["run_id", "kind", "id"],
        sqlite_where=others,
        postgresql_where=others,
    )
