"""What is said of the sources of Import Images."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_SOURCE = Sentence(
    "import_without_source",
    "Import Images has no source.",
    "Choose one, for example sample:digits. It starts with {prefixes} or {last}.",
)
NOT_A_SOURCE = Sentence(
    "not_a_source",
    "{text!r} is not a source.",
    "Start it with {prefixes} or {last}, for example file:{text}.",
)
NOTHING_BEHIND = Sentence(
    "nothing_behind",
    "{text!r} is not a source.",
    "Start it with {prefixes} or {last} and a name behind it.",
)
NOT_THERE = Sentence(
    "not_there",
    "{path} is not there.",
    "Check the path: it is one on the machine that runs the step.",
)
OWN_PLACE = Sentence(
    "own_place",
    "{path} is the designer's own, in its workspace {workspace}.",
    "Choose a folder or archive of your own, or a registered dataset (dataset:).",
)
WORKSPACE_LEFT_OUT = Sentence(
    "workspace_left_out",
    "{what}",
    "Nothing has to be done; a workspace elsewhere (--workspace) keeps the two apart.",
)

NO_SAMPLE = Sentence("no_sample", "There is no sample {name!r}.", "Choose one of: {names}.")
NO_SUCH_OPTION = Sentence(
    "no_such_option", "The sample has no option {option!r}.", "It has: {options}."
)
NO_OPTIONS = Sentence(
    "no_options", "The sample has no option {option!r}.", "Leave out what follows the ?."
)
WRONG_OPTION = Sentence(
    "wrong_option",
    "The option {option} of the sample is {value!r}.",
    "Give a whole number from {low:,} to {high:,}.",
)

NO_DATASET_NAME = Sentence(
    "not_a_dataset_name",
    "{name!r} is no name for a dataset.",
    "Use up to 100 letters, digits, dots, dashes and underscores, a letter or digit first, and "
    "another name than {taken}.",
)
NAME_TAKEN = Sentence(
    "name_taken",
    "A dataset called {name} exists already: this one is called {new}.",
    "To add a version to {name}, import it with --name {name}.",
)
OTHER_SPELLING = Sentence(
    "other_spelling",
    "A dataset is called {other}: {name} differs from it in case only.",
    "Call it {other}, or by another name.",
)
NO_DATASET_VERSION = Sentence(
    "no_dataset_version",
    "{version!r} is not a version of a dataset.",
    "Use a whole number from 1, as in dataset:{name}@1, or leave it out.",
)
NOT_REGISTERED = Sentence(
    "not_registered",
    "There is no dataset {reference}.",
    "None is registered. Choose another one, or register it with designer dataset import.",
)
OTHER_VERSIONS = Sentence(
    "other_versions",
    "There is no dataset {reference}.",
    "It has: {versions}. Choose another one, or register it with designer dataset import.",
)
LIES_HERE = Sentence(
    "lies_here",
    "The files of {dataset} lie in the workspace, at no address of an object store.",
    "Keep what lies at the address as a version of its own: designer dataset import ADDRESS.",
)
OTHER_FILES_AT_ADDRESS = Sentence(
    "other_files_at_address",
    "The shards at {place} do not hold the same images: {files:,} files differ.",
    "Copy them once more, or keep them as a version of their own: designer dataset import {place}.",
)
NOT_COPIED_WHOLE = Sentence(
    "not_copied_whole",
    "The folder {folder} cannot be copied whole: {links}.",
    "Replace links by the files they lead to.",
)
PASSED_OVER = Sentence("passed_over", "{path} is {what}")
EMPTY_FOLDER = Sentence(
    "empty_folder", "The folder {folder} holds no files.", "Choose one with images in it."
)

ARCHIVE_CHANGED = Sentence(
    "archive_changed",
    "{path} was not the file that #sha256={sha256} names, and is removed.",
    "Run again: it is downloaded anew.",
)
ARCHIVE_FETCHED = Sentence("archive_fetched", "{name}, {size}")

UNKNOWN_TO_TORCHVISION = Sentence(
    "unknown_to_torchvision",
    "torchvision has no labelled image dataset {name!r}.",
    "Choose one of: {names}.",
)
NEWER_TORCHVISION = Sentence(
    "newer_torchvision",
    "The installed torchvision has no {name}.",
    "Update torchvision, or choose another dataset.",
)
TORCHVISION_NOT_DOWNLOADED = Sentence(
    "torchvision_not_downloaded",
    "The dataset {name} is not in {folder} and cannot be downloaded ({error}).",
    "Connect to a network, or put the files of torchvision.datasets.{name} into {folder}; or "
    "choose sample:digits, which needs neither.",
)
