"""Published pipelines with versions, and submissions that must not happen twice."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def _text(length: int) -> Any:
    return sa.String(length).with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "published",
        sa.Column("name", _text(100), primary_key=True),
        sa.Column("description", sa.Text, nullable=False, server_default=""),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("last_version", whole, nullable=False, server_default="0"),
    )
    op.create_table(
        "published_versions",
        sa.Column(
            "name",
            _text(100),
            sa.ForeignKey("published.name", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("version", whole, primary_key=True),
        sa.Column("document", sa.JSON, nullable=False),
        sa.Column("description", sa.Text, nullable=False, server_default=""),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "submissions",
        sa.Column("source", _text(160), primary_key=True),
        sa.Column("key", _text(200), primary_key=True),
        sa.Column("digest", _text(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("run_id", _text(64)),
        sa.Column("holder", sa.JSON(none_as_null=True)),
    )
    op.create_index("ix_submissions_created", "submissions", ["created"])
