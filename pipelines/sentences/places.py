"""What is said of workspaces and of outputs that cannot be read."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

WORKSPACE_NOT_MADE = Sentence(
    "workspace_not_made",
    "The workspace {root} cannot be made: {error}.",
    "Choose a folder that you may write to, with --workspace or DESIGNER_WORKSPACE.",
)
WORKSPACE_NOT_WRITABLE = Sentence(
    "workspace_not_writable",
    "The workspace {root} cannot be written to: {why}.",
    "Get the right to write to it, or choose another folder with --workspace or "
    "DESIGNER_WORKSPACE.",
)
PLACE_NOT_WRITABLE = Sentence(
    "place_not_writable",
    "The workspace {root} cannot be written to ({place} in it): {why}.",
    "Get the right to write to it, or choose another folder with --workspace or "
    "DESIGNER_WORKSPACE.",
)
ONLY_READ = Sentence("only_read", "it may only be read")
WORKSPACE_GONE = Sentence(
    "workspace_gone",
    "The workspace {root} was removed while it was in use.",
    "Start again: a new one is made; or put the old one back.",
)
SETTINGS_UNREADABLE = Sentence(
    "settings_unreadable",
    "{file} cannot be read: {why}.",
    'Correct it: a line is, for example, database = "postgresql+psycopg://NAME:PASSWORD@HOST/NAME".',
)
DATABASE_NO_TEXT = Sentence("database_no_text", "database is not a text in quotes")
DATABASE_UNKNOWN = Sentence(
    "database_unknown",
    "The address of the workspace's database is none of PostgreSQL or SQLite.",
    "Write it as postgresql+psycopg://NAME:PASSWORD@HOST/NAME, in DESIGNER_DATABASE_URL or as "
    "database in the workspace's designer.toml.",
)
DATABASE_DRIVER_MISSING = Sentence(
    "database_driver_missing",
    "The workspace's database is PostgreSQL, and the package psycopg is not installed.",
    "Install the extra postgres: pip install 'psycopg[binary]'.",
)
DATABASE_AWAY = Sentence(
    "database_away",
    "The database {place} does not answer: {why}.",
    "Start it, or correct its address; what goes on is written down once it is back.",
)
DATABASE_LOCKED = Sentence(
    "database_locked",
    "The database {place} has been locked by somebody else for too long.",
    "End what else writes to it; what goes on is written down once it is free.",
)
MOVED_FROM_NOTHING = Sentence(
    "moved_from_nothing",
    "There is no designer.db in {root} to take rows from.",
    "Nothing is to be moved: the workspace uses its database already.",
)
MOVED_TO_NOTHING = Sentence(
    "moved_to_nothing",
    "The workspace {root} names no PostgreSQL and no object store to move to.",
    "Write the address into designer.toml first, as database or artifacts.",
)
MOVED_ELSEWHERE = Sentence(
    "moved_elsewhere",
    "The database has {count} rows of {table} that designer.db lacks: it is in use already, or "
    "another workspace's.",
    "Make an empty database, and name that one.",
)
MOVED_ROW_DIFFERS = Sentence(
    "moved_row_differs",
    "A row of {table} is another one in the database than in designer.db.",
    "Make an empty database, name that one, and move again; designer.db is as it was.",
)
MOVED_WHILE_RUNNING = Sentence(
    "moved_while_running",
    "A runner works on the workspace.",
    "Wait for its runs, or end it: `designer runner stop`; close the app too, then move again.",
)
LEADERSHIP_LOST = Sentence(
    "leadership_lost",
    "Another machine executes the runs of this workspace by now.",
    "Nothing is to be done: it goes on with them.",
)
DATABASE_REFUSES = Sentence(
    "database_refuses",
    "The database {place} refuses what the workspace needs: {why}.",
    "Let its user own the database or the schema: CREATE DATABASE ... OWNER ...",
)

UNREADABLE_ARTIFACT = Sentence(
    "unreadable_artifact",
    "The output cannot be shown: {why}.",
    "Run its node again; `designer artifacts verify` says what is wrong with it.",
)
NOT_SHOWN = Sentence(
    "not_shown", "This cannot be shown: {error}.", "Run the node again, then look again."
)
MANIFEST_UNREADABLE = Sentence("manifest_unreadable", "its manifest is missing or unreadable")
METRICS_UNREADABLE = Sentence("metrics_unreadable", "its metrics cannot be read")
TABLES_UNREADABLE = Sentence("tables_unreadable", "its tables cannot be read ({error})")
TABLE_UNREADABLE = Sentence("table_unreadable", "{file} cannot be read")
TABLE_MISSING = Sentence("table_missing", "{file} is missing")
MODEL_DAMAGED = Sentence("model_damaged", "the model's files are damaged ({error})")
NO_IMAGE_NUMBER = Sentence("no_image_number", "it has no image number {index}")
OPERATIONS_UNREADABLE = Sentence("operations_unreadable", "its operations cannot be read")
DESCRIPTION_UNREADABLE = Sentence("description_unreadable", "its description cannot be read")
DATASET_GONE = Sentence("dataset_gone", "the dataset it refers to is no longer there")
