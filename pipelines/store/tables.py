"""The tables. A change here comes with a migration in ``versions/`` (a test compares them)."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

experiments = Table(
    "experiments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("created", Float, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("experiment_id", ForeignKey("experiments.id"), nullable=False),
    Column("status", String(20), nullable=False, index=True),
    Column("document", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("created", Float, nullable=False, index=True),
    Column("started", Float),
    Column("finished", Float),
    Column("cancel_requested", Boolean, nullable=False, default=False),
    Column("problem", JSON),
    Column("note", Text, nullable=False, server_default=""),
    Column("pipeline_id", String(64), index=True),
    Column("results", JSON(none_as_null=True)),
)

run_tags = Table(
    "run_tags",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", String(60), primary_key=True, index=True),
)

steps = Table(
    "steps",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("node", String(64), primary_key=True),
    Column("status", String(20), nullable=False),
    Column("attempt", Integer, nullable=False, default=0),
    Column("key", String(64)),
    Column("artifact_id", String(80), index=True),
    Column("reused_from", String(64)),
    Column("started", Float),
    Column("finished", Float),
    Column("problem", JSON),
    Column("progress", JSON),
    Column("summary", Text),
    Column("warnings", JSON),
    Column("phases", JSON),
)

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("time", Float, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("node", String(64)),
    Column("data", JSON, nullable=False),
    Index("events_of_run", "run_id", "id"),
    sqlite_autoincrement=True,
)

metrics = Table(
    "metrics",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("node", String(64), primary_key=True),
    Column("name", String(120), primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("value", Float),
    Column("time", Float, nullable=False),
    sqlite_with_rowid=False,
)

artifacts = Table(
    "artifacts",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("key", String(64), nullable=False, index=True),
    Column("run_id", String(64), nullable=False),
    Column("node", String(64), nullable=False),
    Column("created", Float, nullable=False),
    Column("num_bytes", Integer, nullable=False),
    Column("references", JSON, nullable=False),
    Column("stat_fingerprint", String(64), nullable=False),
    Column("damaged", Boolean, nullable=False, default=False),
    Column("remembered", JSON),
)

pipelines = Table(
    "pipelines",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("created", Float, nullable=False),
    Column("deleted", Float),
    Column("headline", JSON(none_as_null=True)),
)

pipeline_revisions = Table(
    "pipeline_revisions",
    metadata,
    Column("pipeline_id", ForeignKey("pipelines.id", ondelete="CASCADE"), primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("document", JSON, nullable=False),
    Column("created", Float, nullable=False),
    Column("client", String(64)),
    Column("seq", Integer),
    Column("num_nodes", Integer, nullable=False, server_default="0"),
)

models = Table(
    "models",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(120), nullable=False, unique=True),
    Column("description", Text, nullable=False, default=""),
    Column("created", Float, nullable=False),
)

model_versions = Table(
    "model_versions",
    metadata,
    Column("model_id", ForeignKey("models.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("artifact", String(160), nullable=False),
    Column("run_id", String(64)),
    Column("metrics", JSON, nullable=False),
    Column("created", Float, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("content", String(64), nullable=False, server_default=""),
)

model_aliases = Table(
    "model_aliases",
    metadata,
    Column("model_id", ForeignKey("models.id", ondelete="CASCADE"), primary_key=True),
    Column("alias", String(120), primary_key=True),
    Column("version", Integer, nullable=False),
)

targets = Table(
    "targets",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("settings", JSON, nullable=False),
    Column("created", Float, nullable=False),
)

environments = Table(
    "environments",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("key", String(64), nullable=False, index=True),
    Column("content", JSON, nullable=False),
    Column("created", Float, nullable=False),
    Column("removed", Float),
)
