"""Messages of the errors in ``pipelines.errors``."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

RELAYED = Sentence("relayed", "{message}", "{cure}")
"""A message from another process."""

# not found

NO_RUN = Sentence("no_run", "Run {run} not found.", "See the list of runs.")
NO_RUN_BEGINS = Sentence(
    "no_run_begins", "No run ID starts or ends with {text!r}.", "See `designer runs list`."
)
SEVERAL_RUNS_BEGIN = Sentence(
    "several_runs_begin",
    "{count} run IDs start or end with {text!r}.",
    "Enter more characters of the ID. See `designer runs list`.",
)
RUN_JUST_DELETED = Sentence("run_just_deleted", "Run {run!r} was deleted.", "See the list of runs.")
NO_NODE_OF_RUN = Sentence(
    "no_node_of_run", "Node {node!r} not found in run {run}.", "See `designer runs show`."
)
NO_PIPELINE = Sentence(
    "no_pipeline",
    "Pipeline {pipeline!r} not found.",
    "Open a pipeline from the list or undo its deletion.",
)
NO_REVISION = Sentence(
    "no_revision", "Revision {revision} of {pipeline!r} not found.", "See the list of revisions."
)
NO_DATASET = Sentence("no_dataset", "Dataset {dataset!r} not found.", "See the list of datasets.")
NO_MODEL = Sentence("no_model", "Model {model!r} not found.", "See the list of models.")
NO_VERSION = Sentence(
    "no_version", "Version {version!r} of {model} not found.", "See its versions and aliases."
)
NO_ALIAS = Sentence("no_alias", "Alias {alias!r} of {model} not found.", "See its aliases.")
NO_OUTPUT = Sentence("no_output", "Output {output} not found.", "Run its node again.")
NO_ARTIFACT_BEGINS = Sentence(
    "no_artifact_begins", "No artifact ID starts with {text!r}.", "See `designer artifacts show`."
)
NO_TARGET = Sentence(
    "no_target", "Compute target {target!r} not found.", "See the list of compute targets."
)
NO_ENVIRONMENT = Sentence(
    "no_environment",
    "Environment {environment!r} not found.",
    "See `designer environments list` or the page Environments.",
)
NO_REPLAY = Sentence(
    "no_replay",
    "Replay {replay!r} not found.",
    "Choose one on the start page or from `designer replay list`.",
)
NO_REPLAY_BEGINS = Sentence(
    "no_replay_begins", "No replay ID starts with {text!r}.", "See `designer replay list`."
)
SEVERAL_REPLAYS_BEGIN = Sentence(
    "several_replays_begin",
    "{count} replay IDs start with {text!r}.",
    "Enter more characters of the ID. See `designer replay list`.",
)
NO_LESSON = Sentence("no_lesson", "Lesson {lesson!r} not found.", "Choose one of {lessons}.")
NO_FLIPS = Sentence(
    "no_flips",
    "Fewer than two of the runs scored images at {node!r}.",
    "Choose a node that is listed in `flips` of the comparison.",
)
NO_MODEL_TRAINED = Sentence(
    "no_model_trained",
    "Run {run} did not train a model.",
    "Add a training node to the pipeline and run it.",
)
SEVERAL_MODELS_TRAINED = Sentence(
    "several_models_trained",
    "Run {run} trained several models.",
    "Choose one with --node ({nodes}). If a node has several, also use --port.",
)
NO_MODEL_MATCHES = Sentence(
    "no_model_matches",
    "No model of run {run} matches --node and --port.",
    "Choose one of these nodes with --node: {nodes}.",
)
NO_SOURCE = Sentence("no_source", "{source} not found.", "Enter the path of a folder or archive.")

TOO_FEW_CLASSES = Sentence(
    "too_few_classes",
    "{source} has {count:only one class|fewer than two classes}, but a classifier needs at "
    "least two.",
    "Put the images of each class into a separate folder, then choose the folder that "
    "contains them.",
)

LABELS_NOT_CHOSEN = Sentence(
    "labels_not_chosen",
    "{source}: {question}.",
    "Build the pipeline yourself, and enter Label column at Convert to Image Directory.",
)
CLASS_NUMBERS_NOT_CHOSEN = Sentence(
    "class_numbers_not_chosen",
    "{source}: {question}.",
    "Build the pipeline yourself, and set First class number at Convert to Image Directory.",
)

# in use

DATASET_IN_USE = Sentence(
    "dataset_in_use", "{what} is used by {users}.", "Delete or change them first."
)
MODEL_IN_USE = Sentence(
    "model_in_use",
    "{what} is used by {users}.",
    "Remove it from these pipelines, or end these runs, first.",
)
TARGET_IN_USE = Sentence(
    "target_in_use",
    "{what!r} is the compute target of {count} saved {count:pipeline|pipelines} ({users}).",
    "Choose another target in these pipelines, or add --even-if-used.",
)

# refused

UNKNOWN_KEPT = Sentence(
    "unknown_kept",
    "{count} {count:folder that is|folders that are} not in the database {count:was|were} "
    "kept: {names}.",
    "A restored backup may lack them. They are deleted after 30 days, or now with `designer "
    "gc --yes`.",
)
SAY_YES = Sentence(
    "say_yes", "Nothing was deleted, because deletion needs confirmation.", "Add --yes to delete."
)
RUN_UNDER_WAY = Sentence(
    "run_under_way", "Run {run} is still active.", "Wait until it ends, or cancel it first."
)
RUN_COMPLETED = Sentence(
    "run_completed",
    "Run {run} is already completed.",
    "To run the same pipeline again, use `designer runs resubmit`.",
)
RUN_ENDED = Sentence("run_ended", "Run {run} has already ended.", "See `designer runs show`.")
ANY_RUN_UNDER_WAY = Sentence(
    "any_run_under_way", "A run is active.", "Wait until it ends or cancel it, then try again."
)
NAME_LENGTH = Sentence(
    "name_length", "A name must have 1 to {most} characters.", "Enter a shorter name."
)
NOTE_LENGTH = Sentence("note_length", "The note has more than {most:,} characters.", "Shorten it.")
TOO_MANY_TAGS = Sentence(
    "too_many_tags", "A run can have at most {most} tags.", "Remove some first."
)
NO_TAG = Sentence("no_tag", "Invalid tag {text!r}.", "Use 1 to {most} characters without a comma.")
NO_MODEL_NAME = Sentence(
    "no_model_name",
    "Invalid model name {text!r}.",
    "Use up to 100 letters, digits, dots, dashes and underscores. Start with a letter or digit.",
)
NO_ALIAS_NAME = Sentence(
    "no_alias_name",
    "Invalid alias {text!r}.",
    "Use up to 100 letters, digits, dots, dashes and underscores. Start with a letter or digit.",
)
ALIAS_IS_NUMBER = Sentence(
    "alias_is_number", "The alias {alias!r} looks like a version number.", "Use a word."
)
DESCRIPTION_LENGTH = Sentence(
    "description_length", "A description can have at most {most:,} characters.", "Shorten it."
)
NO_TRAINED_MODEL = Sentence(
    "no_trained_model",
    "{port} contains a {type}, which cannot be registered.",
    "Register a TrainedModel or a ForeignModel.",
)
NO_MODEL_WRITTEN = Sentence(
    "no_model_written",
    "The script did not write a model for {port}.",
    "Set its Model file and run it.",
)
FILE_IS_WRITTEN = Sentence(
    "file_is_written",
    "{file} is still being written.",
    "Wait until it is complete, then try again.",
)
FILE_IS_GONE = Sentence(
    "file_is_gone", "{file} no longer exists.", "See the list of the node's files."
)
NO_FILE_OF_NODE = Sentence(
    "no_file_of_node",
    "File {file!r} of {node} not found in run {run}.",
    "See `designer runs files`.",
)
FILE_WITHOUT_NODE = Sentence(
    "file_without_node",
    "The option --file requires --node.",
    "Add the node that wrote {file!r}.",
)
NO_EXPORT_FORM = Sentence(
    "no_model_form",
    "{model} cannot be exported as {suffix}.",
    "Use a file name that ends in {forms}, or a name without an extension for a folder.",
)
NO_VERSION_NUMBER = Sentence(
    "no_version_number", "Invalid version {text!r}.", "Enter a whole number."
)
NO_TARGET_NAME = Sentence(
    "no_target_name", "Invalid target name {text!r}.", "Use lowercase letters, digits, - and _."
)
TARGET_BUILT_IN = Sentence(
    "target_built_in", "The name {target!r} is used by a built-in target.", "Choose another name."
)
TARGET_STAYS = Sentence(
    "target_stays",
    "{target!r} is a built-in target and cannot be removed.",
    "Choose a target that was added.",
)
TARGET_TAKEN = Sentence(
    "target_taken",
    "Compute target {target!r} already exists.",
    "Choose another name or remove the target first.",
)
ENVIRONMENT_STAYS = Sentence(
    "environment_stays",
    "{environment!r} is a built-in environment and cannot be deleted.",
    "Free its disk space instead.",
)
ENVIRONMENT_BUSY = Sentence(
    "environment_busy",
    "{environment} is being built.",
    "Wait until the build ends, then try again.",
)
ENVIRONMENT_IN_USE = Sentence(
    "environment_in_use",
    "{what} is the environment of {count} saved {count:pipeline|pipelines} ({users}).",
    "Choose another environment in these pipelines, or add --even-if-used.",
)
NO_PACKAGES_GIVEN = Sentence(
    "no_packages_given",
    "The new environment {environment!r} needs packages.",
    "Add --requirements FILE or --package NAME.",
)
NO_ENVIRONMENT_NAME = Sentence(
    "no_environment_name",
    "Invalid environment name {text!r}.",
    "Use up to 64 lowercase letters, digits, dots, dashes and underscores. Start with a "
    "letter or digit.",
)
ENVIRONMENT_RESERVED = Sentence(
    "environment_reserved",
    "The name {environment!r} is reserved for a built-in environment.",
    "Choose a name that does not start with azureml or designer-. You can change copies of "
    "built-in environments.",
)
REPLAY_STAYS = Sentence(
    "replay_stays", "{replay} is a built-in replay and cannot be deleted.", "Close it instead."
)
FILE_THERE = Sentence("file_there", "{file} already exists.", "Choose another name.")
FILE_UNREADABLE = Sentence(
    "file_unreadable", "Cannot read {file}: {error}.", "Check its path and permissions."
)
NUMBER_OF_RUNS = Sentence(
    "number_of_runs",
    "Cannot compare {count} different {count:run|runs}.",
    "Choose {fewest} to {most} different runs.",
)
NUMBER_OF_POINTS = Sentence(
    "number_of_points",
    "A curve needs more than {most} {most:point|points}.",
    "Request at least {fewest} points.",
)
LESSON_CANNOT_RUN = Sentence("lesson_cannot_run", "{lesson} cannot run on this machine: {problem}")
LESSON_NOT_COMPLETED = Sentence("lesson_not_completed", "{lesson} did not complete: {problem}")
LESSON_TOO_LARGE = Sentence(
    "lesson_too_large", "The replay of {lesson} has {num_bytes:,} bytes, more than allowed."
)

# failures

STALE_REVISION = Sentence(
    "stale_revision",
    "Someone else saved revision {revision} after you opened the pipeline.",
    "Load that revision or save your version as a copy.",
)
RUNNER_NOT_STARTED = Sentence(
    "runner_not_started", "The runner did not start.", "See its log {log}, then try again."
)
_FROZEN = (
    "Continue it with `kill -CONT {pid}`, or end it with `kill -9 {pid}`. The next runner "
    "continues its runs."
)
RUNNER_STOPPED = Sentence("runner_stopped", "The runner (process {pid}) is suspended.", _FROZEN)
RUNNER_SILENT = Sentence(
    "runner_silent", "The runner (process {pid}) has not responded for {time}.", _FROZEN
)
NOT_CANCELLED = Sentence(
    "not_cancelled",
    "Cancellation of run {run} was requested, but no runner is responding. {why.message}",
    "{why.cure}",
)
NO_MANIFEST = Sentence(
    "target_without_manifest",
    "A target of kind {kind!r} has no manifest.",
    "Choose a target of kind kubernetes: `designer target list`.",
)
NO_TARGET_KIND = Sentence(
    "no_target_kind", "Unknown kind of compute target: {kind!r}.", "Choose one of {kinds}."
)
TARGET_SETTING = Sentence(
    "target_setting",
    "Invalid target setting {setting!r}: {why}.",
    "Targets of this kind have the settings {known}.",
)
TARGET_SETTING_FORM = Sentence(
    "target_setting_form", "Invalid option --set {text!r}.", "Use the form NAME=VALUE."
)
NO_ANSWER = Sentence("no_answer", "No response.", "Try again. {log} may contain details.")

NO_SECRET = Sentence(
    "no_secret", "Secret {secret!r} not found.", "List the secrets: `designer secrets list`."
)
NO_SECRET_NAME = Sentence(
    "no_secret_name",
    "Invalid secret name {text!r}.",
    "Use letters, digits and _, starting with a letter. Names of variables that the "
    "designer sets are reserved.",
)
NO_SECRET_VALUE = Sentence(
    "no_secret_value", "Invalid secret value.", "Enter {fewest} to {most:,} bytes of text."
)
NO_FILE_OF_STEP = Sentence(
    "no_file_of_step",
    "File {path!r} of {node} not found in run {run}.",
    "List its files: `designer runs files {run} {node}`.",
)
