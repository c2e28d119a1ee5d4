"""Messages about the sources of Import Images."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_SOURCE = Sentence(
    "Import Images has no source.",
    "Choose a source, for example sample:digits. A source starts with {prefixes} or {last}.",
    key="import_without_source",
)
NOT_A_SOURCE = Sentence(
    "Invalid source {text!r}.", "Start it with {prefixes} or {last}, for example file:{text}."
)
NOTHING_BEHIND = Sentence(
    "Invalid source {text!r}: the name is missing.", "Write a name after {prefixes} or {last}."
)
NOT_THERE = Sentence(
    "{path} was not found.", "Check the path. It must exist on the machine that runs the step."
)
OWN_PLACE = Sentence(
    "{path} belongs to the designer's workspace {workspace} and cannot be used as a source.",
    "Choose another folder or archive, or a registered dataset (dataset:).",
)
WORKSPACE_LEFT_OUT = Sentence(
    "{what}",
    "Nothing needs to be done. To keep them apart, use a workspace elsewhere (--workspace).",
)

NO_SAMPLE = Sentence("Unknown sample {name!r}.", "Choose one of: {names}.")
NO_SUCH_OPTION = Sentence("The sample has no option {option!r}.", "Available options: {options}.")
NO_OPTIONS = Sentence(
    "The sample has no option {option!r}.", "Remove everything after the question mark."
)
WRONG_OPTION = Sentence(
    "Invalid value {value!r} for the option {option} of the sample.",
    "Enter a whole number from {low:,} to {high:,}.",
)

NO_DATASET_NAME = Sentence(
    "Invalid dataset name {name!r}.",
    "Use up to 100 letters, digits, dots, dashes and underscores. Start with a letter or digit, "
    "and do not use {taken}.",
    key="not_a_dataset_name",
)
NAME_TAKEN = Sentence(
    "A dataset named {name} already exists. This dataset was named {new}.",
    "To add a version to {name}, import it with --name {name}.",
)
OTHER_SPELLING = Sentence(
    "A dataset named {other} already exists. {name} differs from it only in case.",
    "Use {other}, or choose another name.",
)
NO_DATASET_VERSION = Sentence(
    "Invalid dataset version {version!r}.",
    "Use a whole number from 1, as in dataset:{name}@1, or omit the version.",
)
NOT_REGISTERED = Sentence(
    "Dataset {reference} was not found.",
    "No datasets are registered. Choose another source, or register it with designer dataset "
    "import.",
)
OTHER_VERSIONS = Sentence(
    "Dataset {reference} was not found.",
    "Available versions: {versions}. Choose one of them, or register it with designer dataset "
    "import.",
)
LIES_HERE = Sentence(
    "The files of {dataset} are stored in the workspace, not in an object store.",
    "To register the files at the address as a separate version, run: designer dataset import "
    "ADDRESS.",
)
OTHER_FILES_AT_ADDRESS = Sentence(
    "The shards at {place} contain different images: {files:,} files differ.",
    "Copy them again, or register them as a separate version: designer dataset import {place}.",
)
NOT_COPIED_WHOLE = Sentence(
    "The folder {folder} cannot be copied completely: {links}.",
    "Replace symbolic links with copies of their targets.",
)
PASSED_OVER = Sentence("{path} is {what}")
EMPTY_FOLDER = Sentence(
    "The folder {folder} contains no files.", "Choose a folder that contains images."
)

ARCHIVE_CHANGED = Sentence(
    "{path} did not match #sha256={sha256} and was removed.", "Run again to download it again."
)
ARCHIVE_FETCHED = Sentence("{name}, {size}")

UNKNOWN_TO_TORCHVISION = Sentence(
    "torchvision has no labelled image dataset named {name!r}.", "Choose one of: {names}."
)
NEWER_TORCHVISION = Sentence(
    "The installed version of torchvision does not include {name}.",
    "Update torchvision, or choose another dataset.",
)
TORCHVISION_NOT_DOWNLOADED = Sentence(
    "The dataset {name} was not found in {folder} and could not be downloaded ({error}).",
    "Connect to a network, or copy the files of torchvision.datasets.{name} into {folder}. Or "
    "choose sample:digits, which needs neither.",
)

name_sentences(globals())
