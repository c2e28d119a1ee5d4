"""Schema of version 1.0. Databases of earlier versions reach it by ``before_1_0.py``."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0011"
down_revision = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(usual_length: int) -> TypeEngine[str]:
    return sa.String(usual_length).with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "artifacts",
        sa.Column("id", _text(80), primary_key=True),
        sa.Column("key", _text(64), nullable=False, index=True),
        sa.Column("run_id", _text(64), nullable=False),
        sa.Column("node", _text(64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("num_bytes", WHOLE, nullable=False),
        sa.Column("references", sa.JSON(), nullable=False),
        sa.Column("stat_fingerprint", _text(64), nullable=False),
        sa.Column("damaged", sa.Boolean(), nullable=False),
        sa.Column("remembered", sa.JSON()),
        sa.Column("content", _text(64)),
    )
    op.create_table(
        "environments",
        sa.Column("name", _text(64), primary_key=True),
        sa.Column("version", WHOLE, primary_key=True),
        sa.Column("key", _text(64), nullable=False, index=True),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("removed", sa.Float()),
    )
    op.create_table(
        "experiments",
        sa.Column("id", WHOLE, primary_key=True),
        sa.Column("name", _text(200), nullable=False, unique=True),
        sa.Column("created", sa.Float(), nullable=False),
    )
    op.create_table(
        "facts",
        sa.Column("name", _text(64), primary_key=True),
        sa.Column("value", sa.Text(), nullable=False),
    )
    op.create_table(
        "leaders",
        sa.Column("office", _text(20), primary_key=True),
        sa.Column("epoch", WHOLE, nullable=False),
        sa.Column("holder", sa.JSON(), nullable=False),
    )
    op.create_table(
        "models",
        sa.Column("id", WHOLE, primary_key=True),
        sa.Column("name", _text(120), nullable=False, unique=True),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("last_version", WHOLE, nullable=False, server_default="0"),
    )
    op.create_table(
        "pipelines",
        sa.Column("id", _text(64), primary_key=True),
        sa.Column("name", _text(200), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("deleted", sa.Float()),
        sa.Column("headline", sa.JSON()),
    )
    op.create_table(
        "targets",
        sa.Column("name", _text(64), primary_key=True),
        sa.Column("kind", _text(20), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
    )
    op.create_table(
        "model_aliases",
        sa.Column(
            "model_id", WHOLE, sa.ForeignKey("models.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("alias", _text(120), primary_key=True),
        sa.Column("version", WHOLE, nullable=False),
    )
    op.create_table(
        "model_versions",
        sa.Column(
            "model_id", WHOLE, sa.ForeignKey("models.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("version", WHOLE, primary_key=True),
        sa.Column("artifact", _text(160), nullable=False),
        sa.Column("run_id", _text(64)),
        sa.Column("metrics", sa.JSON(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False, server_default=""),
        sa.Column("content", _text(64), nullable=False, server_default=""),
    )
    op.create_table(
        "pipeline_revisions",
        sa.Column(
            "pipeline_id",
            _text(64),
            sa.ForeignKey("pipelines.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("revision", WHOLE, primary_key=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("client", _text(64)),
        sa.Column("seq", WHOLE),
        sa.Column("num_nodes", WHOLE, nullable=False, server_default="0"),
        sa.Column("name", _text(100)),
    )
    op.create_table(
        "runs",
        sa.Column("id", _text(64), primary_key=True),
        sa.Column("name", _text(200), nullable=False),
        sa.Column("experiment_id", WHOLE, sa.ForeignKey("experiments.id"), nullable=False),
        sa.Column("status", _text(20), nullable=False, index=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False, index=True),
        sa.Column("started", sa.Float()),
        sa.Column("finished", sa.Float()),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("problem", sa.JSON()),
        sa.Column("note", sa.Text(), nullable=False, server_default=""),
        sa.Column("pipeline_id", _text(64), index=True),
        sa.Column("results", sa.JSON()),
    )
    op.create_table(
        "events",
        sa.Column("id", WHOLE, primary_key=True),
        sa.Column(
            "run_id", _text(64), sa.ForeignKey("runs.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("time", sa.Float(), nullable=False),
        sa.Column("kind", _text(40), nullable=False),
        sa.Column("node", _text(64)),
        sa.Column("data", sa.JSON(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("events_of_run", "events", ["run_id", "id"])
    others = sa.text("kind <> 'MetricLogged'")
    op.create_index(
        "events_but_points",
        "events",
        ["run_id", "kind", "id"],
        sqlite_where=others,
        postgresql_where=others,
    )
    op.create_table(
        "metrics",
        sa.Column(
            "run_id", _text(64), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("node", _text(64), primary_key=True),
        sa.Column("name", _text(120), primary_key=True),
        sa.Column("step", WHOLE, primary_key=True),
        sa.Column("value", sa.Float()),
        sa.Column("time", sa.Float(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "run_tags",
        sa.Column(
            "run_id", _text(64), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("tag", _text(60), primary_key=True, index=True),
    )
    op.create_table(
        "steps",
        sa.Column(
            "run_id", _text(64), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("node", _text(64), primary_key=True),
        sa.Column("status", _text(20), nullable=False),
        sa.Column("attempt", WHOLE, nullable=False),
        sa.Column("key", _text(64)),
        sa.Column("artifact_id", _text(80), index=True),
        sa.Column("reused_from", _text(64)),
        sa.Column("started", sa.Float()),
        sa.Column("finished", sa.Float()),
        sa.Column("problem", sa.JSON()),
        sa.Column("progress", sa.JSON()),
        sa.Column("summary", sa.Text()),
        sa.Column("warnings", sa.JSON()),
        sa.Column("phases", sa.JSON()),
    )
