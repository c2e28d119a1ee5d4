"""Notes, tags and deletion of runs; descriptions of model versions."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns and tables of the run history and the model registry."""
    text: dict[str, Any] = {"nullable": False, "server_default": ""}
    op.add_column("runs", sa.Column("note", sa.Text(), **text))
    op.add_column("runs", sa.Column("pipeline_id", sa.String(length=64), nullable=True))
    op.create_index(op.f("ix_runs_pipeline_id"), "runs", ["pipeline_id"])
    op.create_table(
        "run_tags",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("tag", sa.String(length=60), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "tag"),
    )
    op.create_index(op.f("ix_run_tags_tag"), "run_tags", ["tag"])
    op.add_column("artifacts", sa.Column("remembered", sa.JSON(), nullable=True))
    op.add_column("model_versions", sa.Column("description", sa.Text(), **text))
    op.add_column("model_versions", sa.Column("content", sa.String(length=64), **text))
    _copy_pipeline_ids()


def _copy_pipeline_ids() -> None:
    runs = sa.table(
        "runs", sa.column("id"), sa.column("options", sa.JSON()), sa.column("pipeline_id")
    )
    connection = op.get_bind()
    for run_id, options in connection.execute(sa.select(runs.c.id, runs.c.options)).all():
        pipeline_id = options.get("pipeline_id")
        if pipeline_id:
            connection.execute(
                sa.update(runs).where(runs.c.id == run_id).values(pipeline_id=pipeline_id)
            )
