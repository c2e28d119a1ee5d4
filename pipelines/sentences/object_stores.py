"""What is said of the object store that keeps what steps made."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

ADDRESS_UNKNOWN = Sentence(
    "object_store_address_unknown",
    "The address of the workspace's object store cannot be used.",
    "Write it as s3://BUCKET/PREFIX, abfs://CONTAINER/PREFIX, gs://BUCKET/PREFIX or "
    "file:///FOLDER, as artifacts in the workspace's designer.toml.",
)
ADDRESS_WITH_SECRET = Sentence(
    "object_store_address_with_secret",
    "The address of the workspace's object store holds more than a place.",
    "Leave names, passwords and options out of it: the environment and the files of the store's "
    "own tools say who you are.",
)
NO_TEXT = Sentence("artifacts_no_text", "artifacts is not a text in quotes")
NO_SIZE = Sentence("artifacts_cache_no_size", "{name} is not a number above 0")
DRIVER_MISSING = Sentence(
    "object_store_driver_missing",
    "The object store {place} needs the package {package}, which is not installed.",
    "Install the extra {extra}: pip install {package}.",
)
AWAY = Sentence(
    "object_store_away",
    "The object store {place} does not answer: {why}.",
    "Look at the network and the store; what is to go there stays on this machine until then.",
)
REFUSED = Sentence(
    "object_store_refuses",
    "The object store {place} lets nobody in with these rights: {why}.",
    "Give who runs the designer the rights to list, read, write and delete there.",
)
NO_BUCKET = Sentence(
    "object_store_no_bucket",
    "There is no such bucket or container: {place}.",
    "Make it, or correct artifacts in the workspace's designer.toml.",
)
OF_ANOTHER = Sentence(
    "object_store_of_another",
    "{place} belongs to another workspace.",
    "Choose a prefix of its own for this one: each frees there what it does not know.",
)
ELSEWHERE = Sentence(
    "object_store_elsewhere",
    "The outputs of the workspace lie in {old}, and designer.toml names {new}.",
    "Take artifacts out of designer.toml, run `designer workspace move --outputs`, then name the "
    "new place and move again; or name the old one.",
)
NEEDED_FOR_STEPS = Sentence(
    "object_store_needed_for_steps",
    "The target's machines share no folder, and the outputs of this workspace lie in one.",
    "Name an object store that the machines reach, as artifacts in the workspace's designer.toml "
    '(artifacts = "s3://BUCKET/PREFIX"), or put the workspace into a folder that they share and '
    "take the target's setting shared_folder away.",
)
DAMAGED = Sentence("object_damaged", "what {place} holds of it is damaged or incomplete")
OUTPUT_WAITS = Sentence(
    "output_waits_for_store",
    "The output lies on this machine and waits for the object store: {why}",
    "Nothing is lost: the run ends once it is stored; cancel it to leave that for later.",
)
NO_ROOM = Sentence(
    "move_no_room",
    "{needed} come back from {place}, and this disk has {free} left.",
    "Free space on it, or leave the outputs where they are.",
)
