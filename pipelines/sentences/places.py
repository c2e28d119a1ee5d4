"""Messages about workspaces, databases, backups, and outputs that cannot be read."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

WORKSPACE_NOT_MADE = Sentence(
    "Cannot create the workspace {root}: {error}.",
    "Choose a folder with write permission with --workspace or DESIGNER_WORKSPACE.",
)
WORKSPACE_NOT_WRITABLE = Sentence(
    "Cannot write to the workspace {root}: {why}.",
    "Change its permissions, or choose another folder with --workspace or DESIGNER_WORKSPACE.",
)
PLACE_NOT_WRITABLE = Sentence(
    "Cannot write to {place} in the workspace {root}: {why}.",
    "Change its permissions, or choose another folder with --workspace or DESIGNER_WORKSPACE.",
)
ONLY_READ = Sentence("it is read-only")
WORKSPACE_GONE = Sentence(
    "The workspace {root} was deleted while it was in use.",
    "Restore it, or start again to create a new one.",
)
SETTINGS_UNREADABLE = Sentence(
    "Cannot read {file}: {why}.",
    "Correct the file. Example of a line: database = "
    '"postgresql+psycopg://NAME:PASSWORD@HOST/NAME".',
)
DATABASE_NO_TEXT = Sentence("database must be a text in quotes")
DATABASE_UNKNOWN = Sentence(
    "The workspace's database must be PostgreSQL or SQLite.",
    "Set DESIGNER_DATABASE_URL, or database in designer.toml, to "
    "postgresql+psycopg://NAME:PASSWORD@HOST/NAME.",
)
DATABASE_DRIVER_MISSING = Sentence(
    "The workspace's database is PostgreSQL, but the package psycopg is not installed.",
    "Install the extra postgres: `pip install 'psycopg[binary]'`.",
)
DATABASE_AWAY = Sentence(
    "The database {place} is not responding: {why}.",
    "Start it or correct its address. Events of running steps are saved when it responds again.",
)
DATABASE_LOCKED = Sentence(
    "The database {place} has been locked by another process for too long.",
    "End the other process. Events of running steps are saved when the database is unlocked.",
)
DATABASE_DAMAGED = Sentence("Cannot use the database {file}: {why}. {intact}", "{way}")
IS_MISSING = Sentence("it is missing")
IS_EMPTY = Sentence("it is empty")
IS_A_FOLDER = Sentence("it is a folder")
NOT_A_DATABASE = Sentence("it is not an SQLite database")
PAGES_DAMAGED = Sentence("some of its pages are damaged")
TEXT_DAMAGED = Sentence("it contains text that cannot be decoded")
TABLES_MISSING = Sentence("a table is missing")
TABLES_FOREIGN = Sentence("its tables do not belong to the designer")
FOLDERS_INTACT = Sentence(
    "The folders of {runs} {runs:run|runs} and {artifacts} {artifacts:output|outputs} are intact."
)
RESTORE_NEWEST = Sentence("Restore the backup of {time} with `designer workspace restore newest`.")
RESTORE_NOTHING = Sentence(
    "No backup exists. Restore a copy of the file, or create an empty database with "
    "`designer workspace restore --empty`."
)
BACKUP_FAILED = Sentence(
    "Cannot write a backup of the database to {folder}: {why}.",
    "Free disk space or change the folder's permissions. The database is unchanged.",
)
NO_BACKUP = Sentence(
    "Backup {backup!r} not found.", "Run `designer workspace restore` to list the backups."
)
NO_WHOLE_BACKUP = Sentence(
    "No intact backup found in {folder}.",
    "Restore a copy of designer.db, or run `designer workspace restore --empty`.",
)
BACKUP_DAMAGED = Sentence(
    "Cannot use the backup {backup}: {why}.",
    "Choose another backup from `designer workspace restore`.",
)
BACKUPS_OF_SERVER = Sentence(
    "The workspace's database is on a PostgreSQL server, so the designer does not back it up.",
    "Restore it on the server, for example with pg_restore.",
)
RESTORED_WHILE_OPEN = Sentence(
    "A runner, an app or a command is using the database.",
    "Close the app and stop the runner with `designer runner stop`, then restore again.",
)
BACKUP_CHOSEN = Sentence(
    "Restoring {backup} of {time}. Runs, models and pipelines created later will be lost.",
    "The current database is moved aside.",
)
EMPTY_CHOSEN = Sentence(
    "Creating an empty database. All runs, models and pipelines will be lost.",
    "The current database is moved aside.",
)
RUNS_LOST = Sentence(
    "The database lacks {count} {count:run|runs} whose folders exist: {runs}.",
    "The folders are kept. `designer gc` deletes them after 30 days.",
)
NO_FOLDER_KNOWN = Sentence(
    "The database contains none of the {count} run and output folders in {root}, so nothing "
    "was deleted.",
    "If the database lost its contents, restore a backup with `designer workspace restore`. "
    "Otherwise, delete the folders that you do not need.",
)
MOVED_FROM_NOTHING = Sentence(
    "designer.db not found in {root}.",
    "The workspace already uses its configured database. No action is needed.",
)
MOVED_TO_NOTHING = Sentence(
    "The workspace {root} has no PostgreSQL database or object store to move to.",
    "Set database or artifacts in designer.toml first.",
)
MOVED_ELSEWHERE = Sentence(
    "The database has {count} rows of {table} that are not in designer.db. It is already in "
    "use, or belongs to another workspace.",
    "Create an empty database and set database to it.",
)
MOVED_ROW_DIFFERS = Sentence(
    "A row of {table} differs between the database and designer.db.",
    "Create an empty database, set database to it and move again. designer.db is unchanged.",
)
MOVED_WHILE_RUNNING = Sentence(
    "A runner is using the workspace.",
    "Wait for its runs or stop it with `designer runner stop`. Close the app too, then move again.",
)
LEADERSHIP_LOST = Sentence(
    "Another machine now executes the runs of this workspace.",
    "No action is needed. It continues the runs.",
)
DATABASE_REFUSES = Sentence(
    "The database {place} denied an operation that the workspace needs: {why}.",
    "Make its user the owner of the database or schema: CREATE DATABASE ... OWNER ...",
)

UNREADABLE_ARTIFACT = Sentence(
    "Cannot show the output: {why}.",
    "Run its node again. `designer artifacts verify` shows details.",
)
NOT_SHOWN = Sentence("Cannot show this output: {error}.", "Run the node again.")
MANIFEST_UNREADABLE = Sentence("its manifest is missing or unreadable")
METRICS_UNREADABLE = Sentence("its metrics cannot be read")
TABLES_UNREADABLE = Sentence("its tables cannot be read ({error})")
TABLE_UNREADABLE = Sentence("{file} cannot be read")
TABLE_MISSING = Sentence("{file} is missing")
MODEL_DAMAGED = Sentence("the model's files are damaged ({error})")
NO_IMAGE_NUMBER = Sentence("it has no image {index}")
OPERATIONS_UNREADABLE = Sentence("its operations cannot be read")
DESCRIPTION_UNREADABLE = Sentence("its description cannot be read")
DATASET_GONE = Sentence("the dataset that it refers to no longer exists")

name_sentences(globals())
