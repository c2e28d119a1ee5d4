"""What the errors of ``pipelines.errors`` say."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

RELAYED = Sentence("relayed", "{message}", "{cure}")
"""Another process has said it."""

# what is not there

NO_RUN = Sentence("no_run", "There is no run {run}.", "See the list of runs.")
NO_RUN_BEGINS = Sentence(
    "no_run_begins",
    "No run with an id that begins with {text!r}, or has it as its last part.",
    "See `runs list`.",
)
SEVERAL_RUNS_BEGIN = Sentence(
    "several_runs_begin",
    "{count} runs with an id that begins with {text!r}, or has it as its last part.",
    "Give more of it: see `runs list`.",
)
RUN_JUST_DELETED = Sentence(
    "run_just_deleted", "Run {run!r} has just been deleted.", "See the list of runs."
)
NO_NODE_OF_RUN = Sentence("no_node_of_run", "Run {run} has no node {node!r}.", "See `runs show`.")
NO_PIPELINE = Sentence(
    "no_pipeline",
    "There is no pipeline {pipeline!r}.",
    "Open one from the list, or undo its deletion.",
)
NO_REVISION = Sentence(
    "no_revision",
    "There is no revision {revision} of {pipeline!r}.",
    "See the list of its revisions.",
)
NO_DATASET = Sentence("no_dataset", "There is no {dataset}.", "See the list of datasets.")
NO_MODEL = Sentence("no_model", "There is no model {model!r}.", "See the list of models.")
NO_VERSION = Sentence("no_version", "{model} has no {version!r}.", "See its versions and aliases.")
NO_ALIAS = Sentence("no_alias", "{model} has no alias {alias!r}.", "See its aliases.")
NO_OUTPUT = Sentence("no_output", "There is no output {output}.", "Run its node again.")
NO_ARTIFACT_BEGINS = Sentence(
    "no_artifact_begins", "No artifact's id begins with {text!r}.", "See `artifacts show`."
)
NO_TARGET = Sentence("no_target", "There is no target {target!r}.", "See the list of targets.")
NO_ENVIRONMENT = Sentence(
    "no_environment",
    "There is no environment {environment!r}.",
    "See `designer environments list`, or the page Environments.",
)
NO_REPLAY = Sentence(
    "no_replay",
    "There is no replay {replay!r}.",
    "Choose one on the start page or of `designer replay list`.",
)
NO_REPLAY_BEGINS = Sentence(
    "no_replay_begins", "No replay with an id that begins with {text!r}.", "See `replay list`."
)
SEVERAL_REPLAYS_BEGIN = Sentence(
    "several_replays_begin",
    "{count} replays with an id that begins with {text!r}.",
    "See `replay list`.",
)
NO_LESSON = Sentence("no_lesson", "There is no lesson {lesson!r}.", "Choose of {lessons}.")
NO_FLIPS = Sentence(
    "no_flips",
    "Fewer than two of the runs have scored images at {node!r}.",
    "Name a node of `flips` in the comparison.",
)
NO_MODEL_TRAINED = Sentence(
    "no_model_trained",
    "Run {run} has not trained exactly one such model.",
    "Train one first.",
)
SEVERAL_MODELS_TRAINED = Sentence(
    "several_models_trained",
    "Run {run} has not trained exactly one such model.",
    "Its nodes {nodes} did: choose with --node, and --port where one gave several.",
)
NO_SOURCE = Sentence("no_source", "{source} is not there.", "Give the path of a folder or archive.")

TOO_FEW_CLASSES = Sentence(
    "too_few_classes",
    "{source} has {count:one class|fewer than two classes}: there is nothing to tell apart.",
    "Put the images into one folder for each class, and drop the folder that holds these.",
)

LABELS_NOT_CHOSEN = Sentence(
    "labels_not_chosen",
    "{source}: {question}",
    "Build the pipeline yourself, and enter Label column at Convert to Image Directory.",
)

# what others need

DATASET_IN_USE = Sentence(
    "dataset_in_use", "{what} is used by {users}.", "Delete or change these first."
)
MODEL_IN_USE = Sentence(
    "model_in_use",
    "{what} is used by {users}.",
    "Take it out of these pipelines, or end these runs, first.",
)
TARGET_IN_USE = Sentence(
    "target_in_use",
    "{what!r} is the target of {count} saved {count:pipeline|pipelines} ({users}).",
    "Choose another target there, or add --even-if-used.",
)

# what is not taken

UNKNOWN_KEPT = Sentence(
    "unknown_kept",
    "Kept {count} that the database does not know: {names}.",
    "A restored backup may lack them. They go after 30 days, or with `designer gc --yes`.",
)
SAY_YES = Sentence("say_yes", "Say --yes to delete; nothing was changed.")
RUN_UNDER_WAY = Sentence(
    "run_under_way", "Run {run} has not ended.", "Wait for its end, or cancel it first."
)
RUN_COMPLETED = Sentence(
    "run_completed",
    "Run {run} is completed: nothing is left to do.",
    "Run the same again with `designer runs resubmit`.",
)
RUN_ENDED = Sentence("run_ended", "Run {run} has already ended.", "See `runs show`.")
ANY_RUN_UNDER_WAY = Sentence(
    "any_run_under_way", "A run is under way.", "Wait for its end, or cancel it, then again."
)
NAME_LENGTH = Sentence(
    "name_length", "A name has 1 to {most} characters.", "Shorten it or write one."
)
NOTE_LENGTH = Sentence("note_length", "The note has more than {most:,} characters.", "Shorten it.")
TOO_MANY_TAGS = Sentence("too_many_tags", "A run has at most {most} tags.", "Remove some first.")
NO_TAG = Sentence("no_tag", "{text!r} is no tag.", "Use 1 to {most} characters without a comma.")
NO_MODEL_NAME = Sentence(
    "no_model_name",
    "{text!r} is no name for a model.",
    "Use up to 100 letters, digits, dots, dashes and underscores, a letter or digit first.",
)
NO_ALIAS_NAME = Sentence(
    "no_alias_name",
    "{text!r} is no name for a version.",
    "Use up to 100 letters, digits, dots, dashes and underscores, a letter or digit first.",
)
ALIAS_IS_NUMBER = Sentence(
    "alias_is_number", "{alias!r} could be a version's number.", "Use a word."
)
DESCRIPTION_LENGTH = Sentence(
    "description_length", "A description has at most {most:,} characters.", "Shorten it."
)
NO_TRAINED_MODEL = Sentence(
    "no_trained_model", "{port} holds a {type}.", "Register a TrainedModel or a ForeignModel."
)
NO_MODEL_WRITTEN = Sentence(
    "no_model_written", "The script wrote no model for {port}.", "Set its Model file, and run it."
)
FILE_IS_WRITTEN = Sentence(
    "file_is_written", "{file} is just being written.", "Wait until it is whole, then again."
)
FILE_IS_GONE = Sentence(
    "file_is_gone", "{file} is not there any more.", "See the list of the node's files."
)
NO_FILE_OF_NODE = Sentence(
    "no_file_of_node",
    "{node} of the run {run} has written no file {file!r}.",
    "See `designer runs files`.",
)
NO_EXPORT_FORM = Sentence(
    "no_model_form",
    "{model} is not to be had as {suffix}.",
    "Give a target that ends in {forms}; or a name without an ending, for a folder.",
)
NO_VERSION_NUMBER = Sentence(
    "no_version_number", "{text!r} is no version.", "Write a whole number."
)
NO_TARGET_NAME = Sentence(
    "no_target_name", "{text!r} is no name.", "Use small letters, digits, - and _."
)
TARGET_BUILT_IN = Sentence("target_built_in", "{target!r} is built in.", "Choose another name.")
TARGET_STAYS = Sentence(
    "target_stays", "{target!r} is built in and stays.", "Remove one that was added."
)
TARGET_TAKEN = Sentence(
    "target_taken",
    "There is a target {target!r} already.",
    "Choose another name, or remove it first.",
)
ENVIRONMENT_STAYS = Sentence(
    "environment_stays",
    "{environment!r} comes with the designer: it stays.",
    "Free its disk instead.",
)
ENVIRONMENT_BUSY = Sentence(
    "environment_busy", "{environment} is being built.", "Wait for its end, then again."
)
ENVIRONMENT_IN_USE = Sentence(
    "environment_in_use",
    "{what} is the environment of {count} saved {count:pipeline|pipelines} ({users}).",
    "Choose another one there, or add --even-if-used.",
)
NO_PACKAGES_GIVEN = Sentence(
    "no_packages_given",
    "There is no environment {environment!r} yet, and no packages are given for it.",
    "Add --requirements FILE, or --package NAME.",
)
NO_ENVIRONMENT_NAME = Sentence(
    "no_environment_name",
    "{text!r} is no name for an environment.",
    "Use up to 64 small letters, digits, dots, dashes and underscores, a letter or digit first.",
)
ENVIRONMENT_RESERVED = Sentence(
    "environment_reserved",
    "{environment!r} is a name of environments that come with the designer.",
    "Choose another name; a copy of it is yours to change.",
)
REPLAY_STAYS = Sentence(
    "replay_stays", "{replay} comes with the program: it stays.", "Close it instead."
)
FILE_THERE = Sentence("file_there", "{file} is there already.", "Choose another name.")
FILE_UNREADABLE = Sentence(
    "file_unreadable", "{file} cannot be read: {error}.", "Check its name and its rights."
)
NUMBER_OF_RUNS = Sentence(
    "number_of_runs",
    "{count} different {count:run was|runs were} named.",
    "Compare {fewest} to {most} different runs.",
)
NUMBER_OF_POINTS = Sentence(
    "number_of_points", "A curve cannot be told by {most} points.", "Ask for {fewest}."
)
LESSON_CANNOT_RUN = Sentence("lesson_cannot_run", "{lesson} cannot run here: {problem}")
LESSON_NOT_COMPLETED = Sentence("lesson_not_completed", "{lesson} did not complete: {problem}")
LESSON_TOO_LARGE = Sentence(
    "lesson_too_large", "The replay of {lesson} has {num_bytes:,} bytes: too many."
)

# what does not work

STALE_REVISION = Sentence(
    "stale_revision",
    "Revision {revision} was saved by somebody else meanwhile.",
    "Load it, or keep your version as a copy.",
)
RUNNER_NOT_STARTED = Sentence(
    "runner_not_started",
    "The runner did not start: its log is {log}.",
    "Look there, then try again.",
)
_FROZEN = (
    "`kill -CONT {pid}` lets it go on; `kill -9 {pid}` ends it, and its runs go on with the "
    "next one."
)
RUNNER_STOPPED = Sentence(
    "runner_stopped", "The runner (process {pid}) is stopped, and does nothing.", _FROZEN
)
RUNNER_SILENT = Sentence(
    "runner_silent", "The runner (process {pid}) has not answered for {time}.", _FROZEN
)
NOT_CANCELLED = Sentence(
    "not_cancelled",
    "Run {run} is to be cancelled, but nobody does it. {why.message}",
    "{why.cure}",
)
NO_MANIFEST = Sentence(
    "target_without_manifest",
    "A target of the kind {kind} has no manifest.",
    "Only targets of the kind kubernetes have one: designer target list.",
)
NO_TARGET_KIND = Sentence(
    "no_target_kind", "There are no targets of kind {kind!r}.", "Choose one of {kinds}."
)
TARGET_SETTING = Sentence(
    "target_setting",
    "The setting {setting!r} of the target cannot be taken: {why}.",
    "Settings of this kind are {known}.",
)
TARGET_SETTING_FORM = Sentence(
    "target_setting_form", "{text!r} sets nothing.", "Write --set NAME=VALUE."
)
NO_ANSWER = Sentence(
    "no_answer", "There was no answer.", "Look again; {log} may say what went wrong."
)

NO_SECRET = Sentence(
    "no_secret", "There is no secret {secret}.", "See those there are: designer secrets list."
)
NO_SECRET_NAME = Sentence(
    "no_secret_name",
    "{text!r} is no name of a secret.",
    "Use letters, digits and _, beginning with a letter, and none that the designer sets itself.",
)
NO_SECRET_VALUE = Sentence(
    "no_secret_value",
    "The value cannot be kept.",
    "Give it {fewest} to {most:,} bytes of text.",
)
NO_FILE_OF_STEP = Sentence(
    "no_file_of_step",
    "{node} of run {run} has no file {path!r}.",
    "See those there are: designer runs files {run} {node}.",
)
