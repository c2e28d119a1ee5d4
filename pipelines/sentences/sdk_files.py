"""Messages about files that start trainings with SDK v1 of Azure Machine Learning."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_RUN_CONFIG = Sentence(
    "{file} has no ScriptRunConfig.",
    "Import the file that starts the training in Azure. To run a training script, choose it "
    "in the node.",
    key="no_script_run_config",
)
FILE_TOO_LARGE = Sentence("{file} is larger than {most:,} bytes.", "Import a Python file.")
FILE_UNREADABLE = Sentence(
    "Cannot read {file}: {error}.", "Check the path, and that the file is a Python file in UTF-8."
)
NOT_PYTHON = Sentence(
    "{file} is not a Python file. Line {line}: {error}.",
    "Correct the line, then import the file again.",
    key="sdk_file_not_python",
)
SOURCE_FOLDER_UNKNOWN = Sentence(
    "The source folder {folder!r} is a relative path, but the location of the file is unknown.",
    "Enter the full path as Source folder of the node.",
)
COMMAND_UNREADABLE = Sentence(
    "Cannot read the command of a ScriptRunConfig: {error}.", "Close its quotation marks."
)
UNKNOWN_VALUE = Sentence(
    "{name} is {text}, which cannot be determined without running the file. It was ignored.",
    "Set it in the node.",
)
UNKNOWN_ARGUMENT = Sentence(
    "The argument {text} cannot be determined without running the file.",
    "Replace {{{{parameters.{name}}}}} in the node's arguments.",
)
DATA_ARGUMENT = Sentence(
    "The argument {text} is data of an Azure workspace. It is now the input Folder of the node.",
    "Connect the data to that input.",
)
UNKNOWN_LAUNCH = Sentence(
    "Unknown configuration {name} of distributed runs.",
    "Choose the launcher and its counts in the run settings.",
)
CHIEF_ADDED = Sentence(
    "A chief process is added to {workers:,} {workers:worker|workers} and {servers:,} parameter "
    "{servers:server|servers}: TensorFlow 2 needs one.",
    "Reduce the number of nodes by one if the first worker of the script is its chief.",
)
UNEVEN_PROCESSES = Sentence(
    "{count} processes cannot be divided evenly among {nodes} machines.",
    "Set the number of processes for each machine in the run settings.",
)
TARGET_LEFT_OUT = Sentence(
    "The compute target {target!r} belongs to Azure.",
    "Choose a compute target of this workspace in the run settings. The default is this machine.",
)
UNKNOWN_ENVIRONMENT = Sentence(
    "The environment {text} is not defined in the file.",
    "Choose an environment in the run settings of the node.",
)
CURATED_REPLACED = Sentence(
    "The Azure environment {written!r} was replaced by {environment!r}.",
    "If packages are missing, choose another environment in the run settings.",
)
ENVIRONMENT_OF_AZURE = Sentence(
    "The file does not list the packages of environment {environment!r}.",
    "Create it: `designer environments build {environment} --requirements FILE`.",
)
ENVIRONMENT_TO_BUILD = Sentence(
    "The node needs the environment {environment!r}.",
    "Create it if it does not exist: `designer environments build {environment} {options}`.",
)
IMAGE_LEFT_OUT = Sentence(
    "The base image {image} was ignored, because environments of packages have no base image.",
    "To use it, create an environment from that image.",
)

name_sentences(globals(), prefix="sdk_")
