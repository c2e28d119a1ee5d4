"""Tables. A change needs a migration in ``versions/`` (a test compares them)."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    and_,
    text,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData()

WHOLE = BigInteger().with_variant(Integer(), "sqlite")
"""Integer of 64 bits; SQLite generates keys only for a type with its own name."""


def _text(usual_length: int) -> TypeEngine[str]:
    """Return a text type without a length limit that sorts by code points, as in SQLite."""
    return String(usual_length).with_variant(Text(collation="C"), "postgresql")


experiments = Table(
    "experiments",
    metadata,
    Column("id", WHOLE, primary_key=True),
    Column("name", _text(200), nullable=False, unique=True),
    Column("created", Float, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", _text(64), primary_key=True),
    Column("name", _text(200), nullable=False),
    Column("experiment_id", ForeignKey("experiments.id"), nullable=False),
    Column("status", _text(20), nullable=False, index=True),
    Column("document", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("created", Float, nullable=False, index=True),
    Column("started", Float),
    Column("finished", Float),
    Column("cancel_requested", Boolean, nullable=False, default=False),
    Column("problem", JSON),
    Column("note", Text, nullable=False, server_default=""),
    Column("pipeline_id", _text(64), index=True),
    Column("results", JSON(none_as_null=True)),
)

run_tags = Table(
    "run_tags",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", _text(60), primary_key=True, index=True),
)

steps = Table(
    "steps",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("node", _text(64), primary_key=True),
    Column("status", _text(20), nullable=False),
    Column("attempt", WHOLE, nullable=False, default=0),
    Column("key", _text(64)),
    Column("artifact_id", _text(80), index=True),
    Column("reused_from", _text(64)),
    Column("started", Float),
    Column("finished", Float),
    Column("problem", JSON),
    Column("progress", JSON),
    Column("summary", Text),
    Column("warnings", JSON),
    Column("phases", JSON),
)

BUT_POINTS = text("kind <> 'MetricLogged'")
"""Condition for a run's events except the points of its curves, which may be a thousand times as
many. SQLite uses the index of the others only for a query with exactly this text."""
EVENTS_BUT_POINTS = Index("events_but_points", "run_id", "kind", "id", sqlite_where=BUT_POINTS)
"""``postgresql.py`` repeats this for PostgreSQL, which is imported only when needed."""

events = Table(
    "events",
    metadata,
    Column("id", WHOLE, primary_key=True, autoincrement=True),
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("time", Float, nullable=False),
    Column("kind", _text(40), nullable=False),
    Column("node", _text(64)),
    Column("data", JSON, nullable=False),
    Index("events_of_run", "run_id", "id"),
    EVENTS_BUT_POINTS,
    sqlite_autoincrement=True,
)


def of_kinds(*kinds: str) -> ColumnElement[bool]:
    """Return the condition that an event is of one of these kinds."""
    is_one = events.c.kind.in_(kinds)
    return is_one if "MetricLogged" in kinds else and_(is_one, BUT_POINTS)


metrics = Table(
    "metrics",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("node", _text(64), primary_key=True),
    Column("name", _text(120), primary_key=True),
    Column("step", WHOLE, primary_key=True),
    Column("value", Float),
    Column("time", Float, nullable=False),
    sqlite_with_rowid=False,
)

artifacts = Table(
    "artifacts",
    metadata,
    Column("id", _text(80), primary_key=True),
    Column("key", _text(64), nullable=False, index=True),
    Column("run_id", _text(64), nullable=False),
    Column("node", _text(64), nullable=False),
    Column("created", Float, nullable=False),
    Column("num_bytes", WHOLE, nullable=False),
    Column("references", JSON, nullable=False),
    Column("stat_fingerprint", _text(64), nullable=False),
    Column("damaged", Boolean, nullable=False, default=False),
    Column("remembered", JSON),
    Column("content", _text(64)),
)

pipelines = Table(
    "pipelines",
    metadata,
    Column("id", _text(64), primary_key=True),
    Column("name", _text(200), nullable=False),
    Column("created", Float, nullable=False),
    Column("deleted", Float),
    Column("headline", JSON(none_as_null=True)),
)

pipeline_revisions = Table(
    "pipeline_revisions",
    metadata,
    Column("pipeline_id", ForeignKey("pipelines.id", ondelete="CASCADE"), primary_key=True),
    Column("revision", WHOLE, primary_key=True),
    Column("document", JSON, nullable=False),
    Column("created", Float, nullable=False),
    Column("client", _text(64)),
    Column("seq", WHOLE),
    Column("num_nodes", WHOLE, nullable=False, server_default="0"),
    Column("name", _text(100)),
)

models = Table(
    "models",
    metadata,
    Column("id", WHOLE, primary_key=True),
    Column("name", _text(120), nullable=False, unique=True),
    Column("description", Text, nullable=False, default=""),
    Column("created", Float, nullable=False),
    Column("last_version", WHOLE, nullable=False, server_default="0"),
)
"""A model without versions stays for ``last_version``: the highest number of a deleted one."""

model_versions = Table(
    "model_versions",
    metadata,
    Column("model_id", ForeignKey("models.id", ondelete="CASCADE"), primary_key=True),
    Column("version", WHOLE, primary_key=True),
    Column("artifact", _text(160), nullable=False),
    Column("run_id", _text(64)),
    Column("metrics", JSON, nullable=False),
    Column("created", Float, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("content", _text(64), nullable=False, server_default=""),
)

model_aliases = Table(
    "model_aliases",
    metadata,
    Column("model_id", ForeignKey("models.id", ondelete="CASCADE"), primary_key=True),
    Column("alias", _text(120), primary_key=True),
    Column("version", WHOLE, nullable=False),
    Column("rule", JSON(none_as_null=True)),
)

alias_moves = Table(
    "alias_moves",
    metadata,
    Column("model_id", ForeignKey("models.id", ondelete="CASCADE"), primary_key=True),
    Column("alias", _text(120), primary_key=True),
    Column("moved", Float, primary_key=True),
    Column("version", WHOLE),
    Column("previous", WHOLE),
    Column("rule", JSON(none_as_null=True)),
    Column("moved_by", _text(120), nullable=False),
    Column("via", _text(20), nullable=False),
    Column("reason", Text, nullable=False),
    Column("comparison", JSON(none_as_null=True)),
    Column("forced", Boolean, nullable=False),
)
"""Changes of aliases and of their rules. ``version`` is null if the alias was removed."""

targets = Table(
    "targets",
    metadata,
    Column("name", _text(64), primary_key=True),
    Column("kind", _text(20), nullable=False),
    Column("settings", JSON, nullable=False),
    Column("created", Float, nullable=False),
)

environments = Table(
    "environments",
    metadata,
    Column("name", _text(64), primary_key=True),
    Column("version", WHOLE, primary_key=True),
    Column("key", _text(64), nullable=False, index=True),
    Column("content", JSON, nullable=False),
    Column("created", Float, nullable=False),
    Column("removed", Float),
)

leaders = Table(
    "leaders",
    metadata,
    Column("office", _text(20), primary_key=True),
    Column("epoch", WHOLE, nullable=False),
    Column("holder", JSON, nullable=False),
)
"""Leadership between machines: each new leader increments the epoch."""

facts = Table(
    "facts",
    metadata,
    Column("name", _text(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Single facts: the workspace's own id and the address of its object store."""

caller_keys = Table(
    "caller_keys",
    metadata,
    Column("owner", _text(120), primary_key=True),
    Column("slot", WHOLE, primary_key=True),
    Column("digest", _text(64), nullable=False),
    Column("created", Float, nullable=False),
)
"""Hashed keys of callers: ``endpoint:NAME`` and ``published:NAME`` have up to two each."""

published = Table(
    "published",
    metadata,
    Column("name", _text(100), primary_key=True),
    Column("description", Text, nullable=False, server_default=""),
    Column("created", Float, nullable=False),
    Column("last_version", WHOLE, nullable=False, server_default="0"),
)
"""A published pipeline without versions stays for ``last_version``, as a model does."""

published_versions = Table(
    "published_versions",
    metadata,
    Column("name", ForeignKey("published.name", ondelete="CASCADE"), primary_key=True),
    Column("version", WHOLE, primary_key=True),
    Column("document", JSON, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("created", Float, nullable=False),
)

submissions = Table(
    "submissions",
    metadata,
    Column("source", _text(160), primary_key=True),
    Column("key", _text(200), primary_key=True),
    Column("digest", _text(64), nullable=False),
    Column("created", Float, nullable=False, index=True),
    Column("run_id", _text(64)),
    Column("holder", JSON(none_as_null=True)),
)
"""Submissions that must not happen twice, by their source (``published:NAME``) and key. ``holder``
is the process that submits the run while ``run_id`` is null."""

schedules = Table(
    "schedules",
    metadata,
    Column("name", _text(100), primary_key=True),
    Column("settings", JSON, nullable=False),
    Column("state", JSON, nullable=False),
    Column("paused", Text),
    Column("created", Float, nullable=False),
)
"""``paused`` is the reason of a paused schedule. ``state`` changes with each firing."""

firings = Table(
    "firings",
    metadata,
    Column("schedule", ForeignKey("schedules.name", ondelete="CASCADE"), primary_key=True),
    Column("planned", WHOLE, primary_key=True),
    Column("status", _text(20), nullable=False, index=True),
    Column("created", Float, nullable=False),
    Column("run_id", _text(64)),
    Column("reason", JSON(none_as_null=True)),
)
"""One row for each planned time, in seconds since the epoch: it is fired by one process only."""

endpoints = Table(
    "endpoints",
    metadata,
    Column("name", _text(100), primary_key=True),
    Column("settings", JSON, nullable=False),
    Column("process", JSON, nullable=False),
    Column("served", JSON(none_as_null=True)),
    Column("stopped", Boolean, nullable=False),
    Column("created", Float, nullable=False),
)
"""``settings`` is what the user wants, ``process`` what its keeper reports, ``served`` what the
endpoint itself reports."""

sweeps = Table(
    "sweeps",
    metadata,
    Column("id", _text(64), primary_key=True),
    Column("name", _text(200), nullable=False),
    Column("document", JSON, nullable=False),
    Column("settings", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("state", _text(20), nullable=False, index=True),
    Column("reason", JSON(none_as_null=True)),
    Column("notes", JSON, nullable=False),
    Column("pipeline_id", _text(64), index=True),
    Column("created", Float, nullable=False),
    Column("started", Float, nullable=False),
    Column("finished", Float),
)
"""``options`` are those of its runs; ``notes`` count the failures of the strategy,
and hold the state before repetitions."""

sweep_trials = Table(
    "sweep_trials",
    metadata,
    Column("sweep", ForeignKey("sweeps.id", ondelete="CASCADE"), primary_key=True),
    Column("number", WHOLE, primary_key=True),
    Column("values", JSON, nullable=False),
    Column("state", _text(20), nullable=False),
    Column("run_id", _text(64), index=True),
    Column("objective", Float),
    Column("epoch", WHOLE),
    Column("reason", JSON(none_as_null=True)),
    Column("created", Float, nullable=False),
    Column("finished", Float),
)
"""Trials with their values, which are stored before their runs are submitted. ``epoch`` is the one
at which a trial pauses next, or was stopped."""
