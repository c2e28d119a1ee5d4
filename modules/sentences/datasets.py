"""Messages about the sources of Import Images."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_SOURCE = Sentence(
    "import_without_source",
    "Import Images has no source.",
    "Choose a source, for example sample:digits. A source starts with {prefixes} or {last}.",
)
NOT_A_SOURCE = Sentence(
    "not_a_source",
    "Invalid source {text!r}.",
    "Start it with {prefixes} or {last}, for example file:{text}.",
)
NOTHING_BEHIND = Sentence(
    "nothing_behind",
    "Invalid source {text!r}: the name is missing.",
    "Write a name after {prefixes} or {last}.",
)
NOT_THERE = Sentence(
    "not_there",
    "{path} was not found.",
    "Check the path. It must exist on the machine that runs the step.",
)
OWN_PLACE = Sentence(
    "own_place",
    "{path} belongs to the designer's workspace {workspace} and cannot be used as a source.",
    "Choose another folder or archive, or a registered dataset (dataset:).",
)
WORKSPACE_LEFT_OUT = Sentence(
    "workspace_left_out",
    "{what}",
    "Nothing needs to be done. To keep them apart, use a workspace elsewhere (--workspace).",
)

NO_SAMPLE = Sentence("no_sample", "Unknown sample {name!r}.", "Choose one of: {names}.")
NO_SUCH_OPTION = Sentence(
    "no_such_option", "The sample has no option {option!r}.", "Available options: {options}."
)
NO_OPTIONS = Sentence(
    "no_options",
    "The sample has no option {option!r}.",
    "Remove everything after the question mark.",
)
WRONG_OPTION = Sentence(
    "wrong_option",
    "Invalid value {value!r} for the option {option} of the sample.",
    "Enter a whole number from {low:,} to {high:,}.",
)

NO_DATASET_NAME = Sentence(
    "not_a_dataset_name",
    "Invalid dataset name {name!r}.",
    "Use up to 100 letters, digits, dots, dashes and underscores. Start with a letter or digit, "
    "and do not use {taken}.",
)
NAME_TAKEN = Sentence(
    "name_taken",
    "A dataset named {name} already exists. This dataset was named {new}.",
    "To add a version to {name}, import it with --name {name}.",
)
OTHER_SPELLING = Sentence(
    "other_spelling",
    "A dataset named {other} already exists. {name} differs from it only in case.",
    "Use {other}, or choose another name.",
)
NO_DATASET_VERSION = Sentence(
    "no_dataset_version",
    "Invalid dataset version {version!r}.",
    "Use a whole number from 1, as in dataset:{name}@1, or omit the version.",
)
NOT_REGISTERED = Sentence(
    "not_registered",
    "Dataset {reference} was not found.",
    "No datasets are registered. Choose another source, or register it with designer dataset "
    "import.",
)
OTHER_VERSIONS = Sentence(
    "other_versions",
    "Dataset {reference} was not found.",
    "Available versions: {versions}. Choose one of them, or register it with designer dataset "
    "import.",
)
LIES_HERE = Sentence(
    "lies_here",
    "The files of {dataset} are stored in the workspace, not in an object store.",
    "To register the files at the address as a separate version, run: designer dataset import "
    "ADDRESS.",
)
OTHER_FILES_AT_ADDRESS = Sentence(
    "other_files_at_address",
    "The shards at {place} contain different images: {files:,} files differ.",
    "Copy them again, or register them as a separate version: designer dataset import {place}.",
)
NOT_COPIED_WHOLE = Sentence(
    "not_copied_whole",
    "The folder {folder} cannot be copied completely: {links}.",
    "Replace symbolic links with copies of their targets.",
)
PASSED_OVER = Sentence("passed_over", "{path} is {what}")
EMPTY_FOLDER = Sentence(
    "empty_folder",
    "The folder {folder} contains no files.",
    "Choose a folder that contains images.",
)

ARCHIVE_CHANGED = Sentence(
    "archive_changed",
    "{path} did not match #sha256={sha256} and was removed.",
    "Run again to download it again.",
)
ARCHIVE_FETCHED = Sentence("archive_fetched", "{name}, {size}")

UNKNOWN_TO_TORCHVISION = Sentence(
    "unknown_to_torchvision",
    "torchvision has no labelled image dataset named {name!r}.",
    "Choose one of: {names}.",
)
NEWER_TORCHVISION = Sentence(
    "newer_torchvision",
    "The installed version of torchvision does not include {name}.",
    "Update torchvision, or choose another dataset.",
)
TORCHVISION_NOT_DOWNLOADED = Sentence(
    "torchvision_not_downloaded",
    "The dataset {name} was not found in {folder} and could not be downloaded ({error}).",
    "Connect to a network, or copy the files of torchvision.datasets.{name} into {folder}. Or "
    "choose sample:digits, which needs neither.",
)
