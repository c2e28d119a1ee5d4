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
DATABASE_DAMAGED = Sentence(
    "database_damaged", "The database {file} cannot be used: {why}. {intact}", "{way}"
)
IS_MISSING = Sentence("is_missing", "it is missing")
IS_EMPTY = Sentence("is_empty", "it is empty")
IS_A_FOLDER = Sentence("is_a_folder", "it is a folder")
NOT_A_DATABASE = Sentence("not_a_database", "it is not an SQLite database")
PAGES_DAMAGED = Sentence("pages_damaged", "some of its pages are damaged")
TEXT_DAMAGED = Sentence("text_damaged", "it holds text that cannot be decoded")
TABLES_MISSING = Sentence("tables_missing", "a table is missing")
TABLES_FOREIGN = Sentence("tables_foreign", "its tables are not those of the designer")
FOLDERS_INTACT = Sentence(
    "folders_intact",
    "The folders of {runs} {runs:run|runs} and {artifacts} {artifacts:output|outputs} are intact.",
)
RESTORE_NEWEST = Sentence(
    "restore_newest",
    "Restore the backup of {time} with `designer workspace restore newest`.",
)
RESTORE_NOTHING = Sentence(
    "restore_nothing",
    "No backup exists: put back a copy, or start again with `designer workspace restore --empty`.",
)
BACKUP_FAILED = Sentence(
    "backup_failed",
    "A backup of the database cannot be written to {folder}: {why}.",
    "Free disk space or correct the rights of the folder; the database is unchanged.",
)
NO_BACKUP = Sentence(
    "no_backup",
    "Backup not found: {backup!r}.",
    "`designer workspace restore` lists the backups.",
)
NO_WHOLE_BACKUP = Sentence(
    "no_whole_backup",
    "No intact backup exists in {folder}.",
    "Put back a copy of designer.db, or use `designer workspace restore --empty`.",
)
BACKUP_DAMAGED = Sentence(
    "backup_damaged",
    "The backup {backup} cannot be used: {why}.",
    "Choose another one of `designer workspace restore`.",
)
BACKUPS_OF_SERVER = Sentence(
    "backups_of_server",
    "The workspace's database is on a PostgreSQL server, whose operator makes the backups.",
    "Restore it on the server, for example with pg_restore.",
)
RESTORED_WHILE_OPEN = Sentence(
    "restored_while_open",
    "A runner, an app or a command has the database open.",
    "Close the app, and end the runner: `designer runner stop`; then restore again.",
)
BACKUP_CHOSEN = Sentence(
    "backup_chosen",
    "Restoring {backup}, made at {time}: runs, models and pipelines of later are lost.",
    "The present database is moved aside.",
)
EMPTY_CHOSEN = Sentence(
    "empty_chosen",
    "Starting with an empty database: all runs, models and pipelines are lost.",
    "The present database is moved aside.",
)
RUNS_LOST = Sentence(
    "runs_lost",
    "The database lacks {count} {count:run|runs} whose folders exist: {runs}.",
    "The folders stay; `designer gc` keeps them for 30 days.",
)
NO_FOLDER_KNOWN = Sentence(
    "no_folder_known",
    "The database knows none of the {count} folders of runs and outputs in {root}; "
    "nothing was removed.",
    "If its contents were lost, restore a backup: `designer workspace restore`. Folders that "
    "you do not need you can remove by hand.",
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
