"""Messages of the errors in ``pipelines.errors``."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

RELAYED = Sentence("{message}", "{cure}")
"""A message from another process."""

# not found

NO_RUN = Sentence("Run {run} not found.", "See the list of runs.")
NO_RUN_BEGINS = Sentence("No run ID starts or ends with {text!r}.", "See `designer runs list`.")
SEVERAL_RUNS_BEGIN = Sentence(
    "{count} run IDs start or end with {text!r}.",
    "Enter more characters of the ID. See `designer runs list`.",
)
RUN_JUST_DELETED = Sentence("Run {run!r} was deleted.", "See the list of runs.")
NO_NODE_OF_RUN = Sentence("Node {node!r} not found in run {run}.", "See `designer runs show`.")
NO_PIPELINE = Sentence(
    "Pipeline {pipeline!r} not found.", "Open a pipeline from the list or undo its deletion."
)
NO_PIPELINE_REFERENCE = Sentence(
    "Invalid reference {text!r}.",
    "Use pipeline:ID, pipeline:ID@REVISION, published:NAME, published:NAME@VERSION or run:ID.",
)
NO_SUCH_PIPELINE = Sentence(
    "No file, lesson, saved pipeline or run {text!r} found.",
    "See the page Pipelines, `designer published list` or `designer runs list`.",
)
NO_REVISION = Sentence(
    "Revision {revision} of {pipeline!r} not found.", "See the list of revisions."
)
NO_DATASET = Sentence("Dataset {dataset!r} not found.", "See the list of datasets.")
NO_MODEL = Sentence("Model {model!r} not found.", "See the list of models.")
NO_VERSION = Sentence("Version {version!r} of {model} not found.", "See its versions and aliases.")
NO_ALIAS = Sentence("Alias {alias!r} of {model} not found.", "See its aliases.")
NO_OUTPUT = Sentence("Output {output} not found.", "Run its node again.")
NO_ARTIFACT_BEGINS = Sentence(
    "No artifact ID starts with {text!r}.", "See `designer artifacts show`."
)
NO_TARGET = Sentence("Compute target {target!r} not found.", "See the list of compute targets.")
NO_ENVIRONMENT = Sentence(
    "Environment {environment!r} not found.",
    "See `designer environments list` or the page Environments.",
)
NO_REPLAY = Sentence(
    "Replay {replay!r} not found.", "Choose one on the start page or from `designer replay list`."
)
NO_REPLAY_BEGINS = Sentence("No replay ID starts with {text!r}.", "See `designer replay list`.")
SEVERAL_REPLAYS_BEGIN = Sentence(
    "{count} replay IDs start with {text!r}.",
    "Enter more characters of the ID. See `designer replay list`.",
)
NO_LESSON = Sentence("Lesson {lesson!r} not found.", "Choose one of {lessons}.")
NO_FLIPS = Sentence(
    "Fewer than two of the runs scored images at {node!r}.",
    "Choose a node that is listed in `flips` of the comparison.",
)
NO_MODEL_TRAINED = Sentence(
    "Run {run} did not train a model.", "Add a training node to the pipeline and run it."
)
SEVERAL_MODELS_TRAINED = Sentence(
    "Run {run} trained several models.",
    "Choose one with --node ({nodes}). If a node has several, also use --port.",
)
NO_MODEL_MATCHES = Sentence(
    "No model of run {run} matches --node and --port.",
    "Choose one of these nodes with --node: {nodes}.",
)
NO_SOURCE = Sentence("{source} not found.", "Enter the path of a folder or archive.")

NO_CLASSES_IN_SOURCE = Sentence("{source}: {why.message}", "{why.cure}")
TOO_FEW_CLASSES = Sentence(
    "{source} has {count:only one class|fewer than two classes}, but a classifier needs at "
    "least two.",
    "Put the images of each class into a separate folder, then choose the folder that "
    "contains them.",
)

LABELS_NOT_CHOSEN = Sentence(
    "{source}: {question}.",
    "Build the pipeline yourself, and enter Label column at Convert to Image Directory.",
)
CLASS_NUMBERS_NOT_CHOSEN = Sentence(
    "{source}: {question}.",
    "Build the pipeline yourself, and set First class number at Convert to Image Directory.",
)

# in use

DATASET_IN_USE = Sentence("{what} is used by {users}.", "Delete or change them first.")
MODEL_IN_USE = Sentence(
    "{what} is used by {users}.", "Remove it from these pipelines, or end these runs, first."
)
TARGET_IN_USE = Sentence(
    "{what!r} is the compute target of {count} saved {count:pipeline|pipelines} ({users}).",
    "Choose another target in these pipelines, or add --even-if-used.",
)

# refused

UNKNOWN_KEPT = Sentence(
    "{count} {count:folder that is|folders that are} not in the database {count:was|were} "
    "kept: {names}.",
    "A restored backup may lack them. They are deleted after 30 days, or now with `designer "
    "gc --yes`.",
)
SAY_YES = Sentence(
    "Nothing was deleted, because deletion needs confirmation.", "Add --yes to delete."
)
RUN_UNDER_WAY = Sentence("Run {run} is still active.", "Wait until it ends, or cancel it first.")
RUN_COMPLETED = Sentence(
    "Run {run} is already completed.",
    "To run the same pipeline again, use `designer runs resubmit`.",
)
RUN_ENDED = Sentence("Run {run} has already ended.", "See `designer runs show`.")
ANY_RUN_UNDER_WAY = Sentence("A run is active.", "Wait until it ends or cancel it, then try again.")
NAME_LENGTH = Sentence("A name must have 1 to {most} characters.", "Enter a shorter name.")
NOTE_LENGTH = Sentence("The note has more than {most:,} characters.", "Shorten it.")
TOO_MANY_TAGS = Sentence("A run can have at most {most} tags.", "Remove some first.")
NO_TAG = Sentence("Invalid tag {text!r}.", "Use 1 to {most} characters without a comma.")
NO_MODEL_NAME = Sentence(
    "Invalid model name {text!r}.",
    "Use up to 100 letters, digits, dots, dashes and underscores. Start with a letter or digit.",
)
NO_ALIAS_NAME = Sentence(
    "Invalid alias {text!r}.",
    "Use up to 100 letters, digits, dots, dashes and underscores. Start with a letter or digit.",
)
ALIAS_HAS_RULE = Sentence(
    "The alias {alias!r} of {model} has a rule, so it cannot be set here.",
    "Register without the alias, then set it: the rule is checked.",
)
ALIAS_MOVED_MEANWHILE = Sentence(
    "The alias {alias!r} of {model} was moved meanwhile.", "Look at its version and try again."
)
ALIAS_REMOVAL_BY_FORCE = Sentence(
    "The alias {alias!r} of {model} has a rule, which would be removed with it.",
    "Remove it with force, which is recorded.",
)
ALIAS_WORSE = Sentence(
    "{model} is right on {right:,} of {images:,} golden images ({share:.1f} %), {current} on "
    "{before:,} ({before_share:.1f} %, from {low:.1f} % with its interval).",
    "Choose a better version, or force the move, which is recorded.",
)
ALIAS_NOT_COMPARED = Sentence(
    "The rule of {alias!r} cannot be checked: {why}",
    "Restore the golden images, change the rule, or force the move, which is recorded.",
)
NOT_A_GOLDEN_SET = Sentence(
    "{source} is not a folder of images in one folder for each class.",
    "Enter the path of such a folder, or dataset:NAME@VERSION.",
)
NO_GOLDEN_IMAGES = Sentence(
    "{source} contains no image of a class that {model} knows.",
    "Use images in one folder for each class, with the names of the model's classes.",
)
SCRIPT_NOT_COMPARED = Sentence(
    "{model} contains files of a script or an export, which golden images cannot compare.",
    "Register the model of Train PyTorch Model or Make Trained Model.",
)
GOLDEN_OR_REMOVE = Sentence(
    "The rule needs either golden images or its removal.", "Use either --golden or --remove."
)
REASON_LENGTH = Sentence("A reason can have at most {most:,} characters.", "Shorten it.")
ALIAS_IS_NUMBER = Sentence("The alias {alias!r} looks like a version number.", "Use a word.")
DESCRIPTION_LENGTH = Sentence("A description can have at most {most:,} characters.", "Shorten it.")
NO_TRAINED_MODEL = Sentence(
    "{port} contains a {type}, which cannot be registered.",
    "Register a trained model, an exported ONNX model or the model of a script.",
)
NO_FILE_TO_IMPORT = Sentence(
    'The file "{file}" was not found.', "Enter the path of an ONNX file of Export Model."
)
EXPORT_NOT_REGISTERED = Sentence(
    "{port} contains an exported {suffix} file, which cannot be registered.",
    "Set the format of Export Model to onnx, or register the trained model.",
)
NO_MODEL_WRITTEN = Sentence(
    "The script did not write a model for {port}.", "Set its Model file and run it."
)
FILE_IS_WRITTEN = Sentence(
    "{file} is still being written.", "Wait until it is complete, then try again."
)
FILE_IS_GONE = Sentence("{file} no longer exists.", "See the list of the node's files.")
NO_FILE_OF_NODE = Sentence(
    "File {file!r} of {node} not found in run {run}.", "See `designer runs files`."
)
FILE_WITHOUT_NODE = Sentence(
    "The option --file requires --node.", "Add the node that wrote {file!r}."
)
NO_EXPORT_FORM = Sentence(
    "{model} cannot be exported as {suffix}.",
    "Use a file name that ends in {forms}, or a name without an extension for a folder.",
    key="no_model_form",
)
OTHER_EXPORT_SUFFIX = Sentence(
    "The name {file} does not fit the format {format}.",
    "Use a name that ends in {suffix}, or one without an extension for a folder.",
)
NOT_EXPORTED_FROM_SCRIPT = Sentence(
    "Files of a script or an export cannot be exported as {format}.",
    "Export them in their own format, or export the trained model.",
)
NO_MODEL_FORMAT = Sentence("Unknown format {text!r}.", "Use one of {formats}.")
NO_VERSION_NUMBER = Sentence("Invalid version {text!r}.", "Enter a whole number.")
NO_TARGET_NAME = Sentence(
    "Invalid target name {text!r}.", "Use lowercase letters, digits, - and _."
)
TARGET_BUILT_IN = Sentence(
    "The name {target!r} is used by a built-in target.", "Choose another name."
)
TARGET_STAYS = Sentence(
    "{target!r} is a built-in target and cannot be removed.", "Choose a target that was added."
)
TARGET_TAKEN = Sentence(
    "Compute target {target!r} already exists.", "Choose another name or remove the target first."
)
ENVIRONMENT_STAYS = Sentence(
    "{environment!r} is a built-in environment and cannot be deleted.",
    "Free its disk space instead.",
)
ENVIRONMENT_BUSY = Sentence(
    "{environment} is being built.", "Wait until the build ends, then try again."
)
ENVIRONMENT_IN_USE = Sentence(
    "{what} is the environment of {count} saved {count:pipeline|pipelines} ({users}).",
    "Choose another environment in these pipelines, or add --even-if-used.",
)
NO_PACKAGES_GIVEN = Sentence(
    "The new environment {environment!r} needs packages.",
    "Add --requirements FILE or --package NAME.",
)
NO_ENVIRONMENT_NAME = Sentence(
    "Invalid environment name {text!r}.",
    "Use up to 64 lowercase letters, digits, dots, dashes and underscores. Start with a "
    "letter or digit.",
)
ENVIRONMENT_RESERVED = Sentence(
    "The name {environment!r} is reserved for a built-in environment.",
    "Choose a name that does not start with azureml or designer-. You can change copies of "
    "built-in environments.",
)
REPLAY_STAYS = Sentence("{replay} is a built-in replay and cannot be deleted.", "Close it instead.")
FILE_THERE = Sentence("{file} already exists.", "Choose another name.")
FILE_UNREADABLE = Sentence("Cannot read {file}: {error}.", "Check its path and permissions.")
NUMBER_OF_RUNS = Sentence(
    "Cannot compare {count} different {count:run|runs}.",
    "Choose {fewest} to {most} different runs.",
)
NUMBER_OF_POINTS = Sentence(
    "A curve needs more than {most} {most:point|points}.", "Request at least {fewest} points."
)
LESSON_CANNOT_RUN = Sentence("{lesson} cannot run on this machine: {problem}")
LESSON_NOT_COMPLETED = Sentence("{lesson} did not complete: {problem}")
LESSON_TOO_LARGE = Sentence("The replay of {lesson} has {num_bytes:,} bytes, more than allowed.")

# failures

STALE_REVISION = Sentence(
    "Someone else saved revision {revision} after you opened the pipeline.",
    "Load that revision or save your version as a copy.",
)
RUNNER_NOT_STARTED = Sentence("The runner did not start.", "See its log {log}, then try again.")
_FROZEN = (
    "Continue it with `kill -CONT {pid}`, or end it with `kill -9 {pid}`. The next runner "
    "continues its runs."
)
RUNNER_STOPPED = Sentence("The runner (process {pid}) is suspended.", _FROZEN)
RUNNER_SILENT = Sentence("The runner (process {pid}) has not responded for {time}.", _FROZEN)
NOT_CANCELLED = Sentence(
    "Cancellation of run {run} was requested, but no runner is responding. {why.message}",
    "{why.cure}",
)
NO_MANIFEST = Sentence(
    "A target of kind {kind!r} has no manifest.",
    "Choose a target of kind kubernetes: `designer target list`.",
    key="target_without_manifest",
)
NO_TARGET_KIND = Sentence("Unknown kind of compute target: {kind!r}.", "Choose one of {kinds}.")
TARGET_SETTING = Sentence(
    "Invalid target setting {setting!r}: {why}.", "Targets of this kind have the settings {known}."
)
TARGET_SETTING_FORM = Sentence("Invalid option --set {text!r}.", "Use the form NAME=VALUE.")
NO_ANSWER = Sentence("No response.", "Try again. {log} may contain details.")

NO_SECRET = Sentence("Secret {secret!r} not found.", "List the secrets: `designer secrets list`.")
NO_SECRET_NAME = Sentence(
    "Invalid secret name {text!r}.",
    "Use letters, digits and _, starting with a letter. Names of variables that the "
    "designer sets are reserved.",
)
NO_SECRET_VALUE = Sentence("Invalid secret value.", "Enter {fewest} to {most:,} bytes of text.")
NO_FILE_OF_STEP = Sentence(
    "File {path!r} of {node} not found in run {run}.",
    "List its files: `designer runs files {run} {node}`.",
)

NO_IMPROVEMENT = Sentence(
    "Run {run} cannot be improved by {way!r}. Possible ways: {names}.",
    "List the ways with `designer improve {run}`.",
)

name_sentences(globals())
