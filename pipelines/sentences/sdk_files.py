"""Messages about files that start trainings with SDK v1 of Azure Machine Learning."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_RUN_CONFIG = Sentence(
    "no_script_run_config",
    "{file} has no ScriptRunConfig.",
    "Import the file that starts the training in Azure; a training script is chosen in the node.",
)
FILE_TOO_LARGE = Sentence(
    "sdk_file_too_large", "{file} is larger than {most:,} bytes.", "Import a Python file."
)
FILE_UNREADABLE = Sentence(
    "sdk_file_unreadable",
    "{file} cannot be read: {error}.",
    "Check the path, and that the file is a Python file in UTF-8.",
)
NOT_PYTHON = Sentence(
    "sdk_file_not_python",
    "{file} is not a Python file. Line {line}: {error}.",
    "Correct the line, then import the file again.",
)
SOURCE_FOLDER_UNKNOWN = Sentence(
    "sdk_source_folder_unknown",
    "The source folder {folder!r} is relative to the file.",
    "Enter its path as Source folder of the node.",
)
COMMAND_UNREADABLE = Sentence(
    "sdk_command_unreadable",
    "The command of a ScriptRunConfig cannot be read: {error}.",
    "Close the quotes in it.",
)
UNKNOWN_VALUE = Sentence(
    "sdk_unknown_value",
    "{name} is {text}, which is not known without running the file. It was left out.",
    "Set it in the node.",
)
UNKNOWN_ARGUMENT = Sentence(
    "sdk_unknown_argument",
    "The argument {text} is not known without running the file.",
    "Replace {{{{parameters.{name}}}}} in the node's arguments.",
)
DATA_ARGUMENT = Sentence(
    "sdk_data_argument",
    "The argument {text} is data of a workspace. It is now the input Folder of the node.",
    "Connect the data to that input.",
)
UNKNOWN_LAUNCH = Sentence(
    "sdk_unknown_launch",
    "{name} is not a known configuration of distributed runs.",
    "Choose the launcher and its counts in the run settings.",
)
UNEVEN_PROCESSES = Sentence(
    "sdk_uneven_processes",
    "{count} processes cannot be divided evenly among {nodes} machines.",
    "Set the number of processes for each machine in the run settings.",
)
TARGET_LEFT_OUT = Sentence(
    "sdk_target_left_out",
    "The compute target {target!r} belongs to Azure.",
    "Choose a target of this workspace in the run settings; by default it is this machine.",
)
UNKNOWN_ENVIRONMENT = Sentence(
    "sdk_unknown_environment",
    "The environment {text} is not defined in the file.",
    "Choose an environment in the node's run settings.",
)
CURATED_REPLACED = Sentence(
    "sdk_curated_replaced",
    "The environment {written!r} of Azure is replaced by {environment!r}.",
    "If packages are missing, choose another environment in the run settings.",
)
ENVIRONMENT_OF_AZURE = Sentence(
    "sdk_environment_of_azure",
    "The file does not say which packages the environment {environment!r} has.",
    "Create it: designer environments build {environment} --requirements FILE",
)
ENVIRONMENT_TO_BUILD = Sentence(
    "sdk_environment_to_build",
    "The node needs the environment {environment!r}.",
    "Create it, unless it exists: designer environments build {environment} {options}",
)
IMAGE_LEFT_OUT = Sentence(
    "sdk_image_left_out",
    "The base image {image} is not used: environments of packages have none.",
    "To run in it, make an environment of that image.",
)
