"""Messages about files that start trainings with SDK v1 of Azure Machine Learning."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_RUN_CONFIG = Sentence(
    "no_script_run_config",
    "{file} has no ScriptRunConfig.",
    "Import the file that starts the training in Azure. To run a training script, choose it "
    "in the node.",
)
FILE_TOO_LARGE = Sentence(
    "sdk_file_too_large", "{file} is larger than {most:,} bytes.", "Import a Python file."
)
FILE_UNREADABLE = Sentence(
    "sdk_file_unreadable",
    "Cannot read {file}: {error}.",
    "Check the path, and that the file is a Python file in UTF-8.",
)
NOT_PYTHON = Sentence(
    "sdk_file_not_python",
    "{file} is not a Python file. Line {line}: {error}.",
    "Correct the line, then import the file again.",
)
SOURCE_FOLDER_UNKNOWN = Sentence(
    "sdk_source_folder_unknown",
    "The source folder {folder!r} is a relative path, but the location of the file is unknown.",
    "Enter the full path as Source folder of the node.",
)
COMMAND_UNREADABLE = Sentence(
    "sdk_command_unreadable",
    "Cannot read the command of a ScriptRunConfig: {error}.",
    "Close its quotation marks.",
)
UNKNOWN_VALUE = Sentence(
    "sdk_unknown_value",
    "{name} is {text}, which cannot be determined without running the file. It was ignored.",
    "Set it in the node.",
)
UNKNOWN_ARGUMENT = Sentence(
    "sdk_unknown_argument",
    "The argument {text} cannot be determined without running the file.",
    "Replace {{{{parameters.{name}}}}} in the node's arguments.",
)
DATA_ARGUMENT = Sentence(
    "sdk_data_argument",
    "The argument {text} is data of an Azure workspace. It is now the input Folder of the node.",
    "Connect the data to that input.",
)
UNKNOWN_LAUNCH = Sentence(
    "sdk_unknown_launch",
    "Unknown configuration {name} of distributed runs.",
    "Choose the launcher and its counts in the run settings.",
)
CHIEF_ADDED = Sentence(
    "sdk_chief_added",
    "A chief process is added to {workers:,} {workers:worker|workers} and {servers:,} parameter "
    "{servers:server|servers}: TensorFlow 2 needs one.",
    "Reduce the number of nodes by one if the first worker of the script is its chief.",
)
UNEVEN_PROCESSES = Sentence(
    "sdk_uneven_processes",
    "{count} processes cannot be divided evenly among {nodes} machines.",
    "Set the number of processes for each machine in the run settings.",
)
TARGET_LEFT_OUT = Sentence(
    "sdk_target_left_out",
    "The compute target {target!r} belongs to Azure.",
    "Choose a compute target of this workspace in the run settings. The default is this machine.",
)
UNKNOWN_ENVIRONMENT = Sentence(
    "sdk_unknown_environment",
    "The environment {text} is not defined in the file.",
    "Choose an environment in the run settings of the node.",
)
CURATED_REPLACED = Sentence(
    "sdk_curated_replaced",
    "The Azure environment {written!r} was replaced by {environment!r}.",
    "If packages are missing, choose another environment in the run settings.",
)
ENVIRONMENT_OF_AZURE = Sentence(
    "sdk_environment_of_azure",
    "The file does not list the packages of environment {environment!r}.",
    "Create it: `designer environments build {environment} --requirements FILE`.",
)
ENVIRONMENT_TO_BUILD = Sentence(
    "sdk_environment_to_build",
    "The node needs the environment {environment!r}.",
    "Create it if it does not exist: `designer environments build {environment} {options}`.",
)
IMAGE_LEFT_OUT = Sentence(
    "sdk_image_left_out",
    "The base image {image} was ignored, because environments of packages have no base image.",
    "To use it, create an environment from that image.",
)
