"""Messages about workspaces, databases, backups, and outputs that cannot be read."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

WORKSPACE_NOT_MADE = Sentence(
    "workspace_not_made",
    "Cannot create the workspace {root}: {error}.",
    "Choose a folder with write permission with --workspace or DESIGNER_WORKSPACE.",
)
WORKSPACE_NOT_WRITABLE = Sentence(
    "workspace_not_writable",
    "Cannot write to the workspace {root}: {why}.",
    "Change its permissions, or choose another folder with --workspace or DESIGNER_WORKSPACE.",
)
PLACE_NOT_WRITABLE = Sentence(
    "place_not_writable",
    "Cannot write to {place} in the workspace {root}: {why}.",
    "Change its permissions, or choose another folder with --workspace or DESIGNER_WORKSPACE.",
)
ONLY_READ = Sentence("only_read", "it is read-only")
WORKSPACE_GONE = Sentence(
    "workspace_gone",
    "The workspace {root} was deleted while it was in use.",
    "Restore it, or start again to create a new one.",
)
SETTINGS_UNREADABLE = Sentence(
    "settings_unreadable",
    "Cannot read {file}: {why}.",
    "Correct the file. Example of a line: database = "
    '"postgresql+psycopg://NAME:PASSWORD@HOST/NAME".',
)
DATABASE_NO_TEXT = Sentence("database_no_text", "database must be a text in quotes")
DATABASE_UNKNOWN = Sentence(
    "database_unknown",
    "The workspace's database must be PostgreSQL or SQLite.",
    "Set DESIGNER_DATABASE_URL, or database in designer.toml, to "
    "postgresql+psycopg://NAME:PASSWORD@HOST/NAME.",
)
DATABASE_DRIVER_MISSING = Sentence(
    "database_driver_missing",
    "The workspace's database is PostgreSQL, but the package psycopg is not installed.",
    "Install the extra postgres: `pip install 'psycopg[binary]'`.",
)
DATABASE_AWAY = Sentence(
    "database_away",
    "The database {place} is not responding: {why}.",
    "Start it or correct its address. Events of running steps are saved when it responds again.",
)
DATABASE_LOCKED = Sentence(
    "database_locked",
    "The database {place} has been locked by another process for too long.",
    "End the other process. Events of running steps are saved when the database is unlocked.",
)
DATABASE_DAMAGED = Sentence(
    "database_damaged", "Cannot use the database {file}: {why}. {intact}", "{way}"
)
IS_MISSING = Sentence("is_missing", "it is missing")
IS_EMPTY = Sentence("is_empty", "it is empty")
IS_A_FOLDER = Sentence("is_a_folder", "it is a folder")
NOT_A_DATABASE = Sentence("not_a_database", "it is not an SQLite database")
PAGES_DAMAGED = Sentence("pages_damaged", "some of its pages are damaged")
TEXT_DAMAGED = Sentence("text_damaged", "it contains text that cannot be decoded")
TABLES_MISSING = Sentence("tables_missing", "a table is missing")
TABLES_FOREIGN = Sentence("tables_foreign", "its tables do not belong to the designer")
FOLDERS_INTACT = Sentence(
    "folders_intact",
    "The folders of {runs} {runs:run|runs} and {artifacts} {artifacts:output|outputs} are intact.",
)
RESTORE_NEWEST = Sentence(
    "restore_newest", "Restore the backup of {time} with `designer workspace restore newest`."
)
RESTORE_NOTHING = Sentence(
    "restore_nothing",
    "No backup exists. Restore a copy of the file, or create an empty database with "
    "`designer workspace restore --empty`.",
)
BACKUP_FAILED = Sentence(
    "backup_failed",
    "Cannot write a backup of the database to {folder}: {why}.",
    "Free disk space or change the folder's permissions. The database is unchanged.",
)
NO_BACKUP = Sentence(
    "no_backup",
    "Backup {backup!r} not found.",
    "Run `designer workspace restore` to list the backups.",
)
NO_WHOLE_BACKUP = Sentence(
    "no_whole_backup",
    "No intact backup found in {folder}.",
    "Restore a copy of designer.db, or run `designer workspace restore --empty`.",
)
BACKUP_DAMAGED = Sentence(
    "backup_damaged",
    "Cannot use the backup {backup}: {why}.",
    "Choose another backup from `designer workspace restore`.",
)
BACKUPS_OF_SERVER = Sentence(
    "backups_of_server",
    "The workspace's database is on a PostgreSQL server, so the designer does not back it up.",
    "Restore it on the server, for example with pg_restore.",
)
RESTORED_WHILE_OPEN = Sentence(
    "restored_while_open",
    "A runner, an app or a command is using the database.",
    "Close the app and stop the runner with `designer runner stop`, then restore again.",
)
BACKUP_CHOSEN = Sentence(
    "backup_chosen",
    "Restoring {backup} of {time}. Runs, models and pipelines created later will be lost.",
    "The current database is moved aside.",
)
EMPTY_CHOSEN = Sentence(
    "empty_chosen",
    "Creating an empty database. All runs, models and pipelines will be lost.",
    "The current database is moved aside.",
)
RUNS_LOST = Sentence(
    "runs_lost",
    "The database lacks {count} {count:run|runs} whose folders exist: {runs}.",
    "The folders are kept. `designer gc` deletes them after 30 days.",
)
NO_FOLDER_KNOWN = Sentence(
    "no_folder_known",
    "The database contains none of the {count} run and output folders in {root}, so nothing "
    "was deleted.",
    "If the database lost its contents, restore a backup with `designer workspace restore`. "
    "Otherwise, delete the folders that you do not need.",
)
MOVED_FROM_NOTHING = Sentence(
    "moved_from_nothing",
    "designer.db not found in {root}.",
    "The workspace already uses its configured database. No action is needed.",
)
MOVED_TO_NOTHING = Sentence(
    "moved_to_nothing",
    "The workspace {root} has no PostgreSQL database or object store to move to.",
    "Set database or artifacts in designer.toml first.",
)
MOVED_ELSEWHERE = Sentence(
    "moved_elsewhere",
    "The database has {count} rows of {table} that are not in designer.db. It is already in "
    "use, or belongs to another workspace.",
    "Create an empty database and set database to it.",
)
MOVED_ROW_DIFFERS = Sentence(
    "moved_row_differs",
    "A row of {table} differs between the database and designer.db.",
    "Create an empty database, set database to it and move again. designer.db is unchanged.",
)
MOVED_WHILE_RUNNING = Sentence(
    "moved_while_running",
    "A runner is using the workspace.",
    "Wait for its runs or stop it with `designer runner stop`. Close the app too, then move again.",
)
LEADERSHIP_LOST = Sentence(
    "leadership_lost",
    "Another machine now executes the runs of this workspace.",
    "No action is needed. It continues the runs.",
)
DATABASE_REFUSES = Sentence(
    "database_refuses",
    "The database {place} denied an operation that the workspace needs: {why}.",
    "Make its user the owner of the database or schema: CREATE DATABASE ... OWNER ...",
)

UNREADABLE_ARTIFACT = Sentence(
    "unreadable_artifact",
    "Cannot show the output: {why}.",
    "Run its node again. `designer artifacts verify` shows details.",
)
NOT_SHOWN = Sentence("not_shown", "Cannot show this output: {error}.", "Run the node again.")
MANIFEST_UNREADABLE = Sentence("manifest_unreadable", "its manifest is missing or unreadable")
METRICS_UNREADABLE = Sentence("metrics_unreadable", "its metrics cannot be read")
TABLES_UNREADABLE = Sentence("tables_unreadable", "its tables cannot be read ({error})")
TABLE_UNREADABLE = Sentence("table_unreadable", "{file} cannot be read")
TABLE_MISSING = Sentence("table_missing", "{file} is missing")
MODEL_DAMAGED = Sentence("model_damaged", "the model's files are damaged ({error})")
NO_IMAGE_NUMBER = Sentence("no_image_number", "it has no image {index}")
OPERATIONS_UNREADABLE = Sentence("operations_unreadable", "its operations cannot be read")
DESCRIPTION_UNREADABLE = Sentence("description_unreadable", "its description cannot be read")
DATASET_GONE = Sentence("dataset_gone", "the dataset that it refers to no longer exists")
