"""Messages about the object store that keeps the outputs of steps."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

ADDRESS_UNKNOWN = Sentence(
    "Invalid address of the workspace's object store.",
    "Set artifacts in the workspace's designer.toml to s3://BUCKET/PREFIX, "
    "abfs://CONTAINER/PREFIX, gs://BUCKET/PREFIX or file:///FOLDER.",
)
ADDRESS_WITH_SECRET = Sentence(
    "The address of the workspace's object store contains credentials or options.",
    "Remove them from the address. Set credentials in environment variables or in the "
    "configuration files of the store's tools.",
)
NO_TEXT = Sentence("artifacts must be a text in quotes", key="artifacts_no_text")
NO_SIZE = Sentence("{name} must be a number above 0", key="artifacts_cache_no_size")
DRIVER_MISSING = Sentence(
    "The object store {place} requires the package {package}, which is not installed.",
    "Install the extra {extra} or the package: `pip install {package}`.",
)
AWAY = Sentence(
    "The object store {place} is not responding: {why}.",
    "Check the network and the store. New outputs stay on this machine until the store responds.",
)
REFUSED = Sentence(
    "The object store {place} denied access: {why}.",
    "Give the designer's user permission to list, read, write and delete objects there.",
    key="object_store_refuses",
)
NO_BUCKET = Sentence(
    "Bucket or container not found: {place}.",
    "Create it, or correct artifacts in the workspace's designer.toml.",
)
OF_ANOTHER = Sentence(
    "{place} belongs to another workspace.",
    "Choose a separate prefix for this workspace. Garbage collection deletes objects that a "
    "workspace does not know.",
)
ELSEWHERE = Sentence(
    "The workspace's outputs are in {old}, but designer.toml specifies {new}.",
    "Restore the old value, or remove artifacts from designer.toml and run `designer "
    "workspace move --outputs`. Then set the new value and move again.",
)
NEEDED_FOR_STEPS = Sentence(
    "The target's machines share no folder, but the workspace keeps its outputs in a local folder.",
    "Set artifacts in designer.toml to an object store that the machines can reach "
    '(artifacts = "s3://BUCKET/PREFIX"). Or move the workspace to a shared folder and '
    "remove the target's setting shared_folder.",
)
DAMAGED = Sentence("its copy in {place} is damaged or incomplete", key="object_damaged")
OUTPUT_WAITS = Sentence(
    "The output is on this machine and waits for the object store: {why}",
    "No data is lost. The run ends after the upload; cancel it to upload later.",
    key="output_waits_for_store",
)
NO_ROOM = Sentence(
    "Moving the outputs back from {place} needs {needed}, but this disk has only {free} left.",
    "Free disk space or keep the outputs in the store.",
    key="move_no_room",
)

name_sentences(globals(), prefix="object_store_")
