"""Messages about training scripts: their source, their start and their end."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_SCRIPT = Sentence(
    "Run Training Script has no script.", "Choose a source folder, or enter the script in the node."
)
TWO_SOURCES = Sentence(
    "The node has both a source folder and a typed script.",
    "Clear one of the two.",
    key="two_sources_of_script",
)
NO_SOURCE_THERE = Sentence(
    "{path} was not found.",
    "Check the path. It must exist on the machine that runs the step.",
    key="no_script_source_there",
)
SOURCE_UNREADABLE = Sentence(
    "The source folder {folder} cannot be read: {error}.",
    "Check that it exists and that this server may read it.",
    key="script_source_unreadable",
)
SOURCE_WITHOUT_END = Sentence(
    "The source folder {folder} contains more than {limit:,} files and folders.",
    "Choose only the folder of the script. Connect data to the input ports.",
    key="script_source_without_end",
)
SOURCE_TOO_LARGE = Sentence(
    "The source folder contains {count:,} files ({size}). The limit is {max_files:,} files or "
    "{max_size}. Largest files: {largest}.",
    "List files that are not needed in a file .amlignore in that folder. Connect data to the input "
    "ports.",
    key="script_source_too_large",
)
LINK_LEADS_OUT = Sentence(
    "The symbolic link {link} leads out of the source folder.",
    "Replace it with a copy of its target, or list it in .amlignore.",
    key="script_link_leads_out",
)
SOURCE_TAKES_PLACE = Sentence(
    "The source contains a file {name}, but scripts need a folder {name} for their outputs.",
    "Rename the file, or list it in a file .amlignore in that folder.",
    key="script_source_takes_place",
)
NO_SUCH_SCRIPT = Sentence(
    "Script {script} was not found in the source folder.", "Choose one of these scripts: {there}."
)
WHICH_SCRIPT = Sentence(
    "The source folder contains several scripts.", "Choose the script to run: {there}."
)
ARGUMENT_OUTSIDE = Sentence(
    "The path {path!r} in {argument!r} is outside the folders that pipelines may use.",
    "Connect the data to an input, or use a path below one of: {roots}. To allow more folders, set "
    "DESIGNER_DATA_ROOTS.",
    key="script_argument_outside",
)
ARGUMENT_LEAVES_FOLDER = Sentence(
    "The path {path!r} in {argument!r} leads out of the working folder.",
    "Connect the data to an input, or use the absolute path of an allowed folder.",
    key="script_argument_leaves_folder",
)
SECRETS_FOUND = Sentence(
    "The source folder may contain secrets, which would be copied with it: {places}.",
    "List those files in .amlignore, and pass the values to the script as secrets of the node.",
    key="secrets_in_source",
)

NO_PLACE = Sentence(
    "Invalid placeholder {text!r}.",
    "Use {{{{inputs.NAME}}}}, {{{{outputs.NAME}}}} or {{{{parameters.NAME}}}}.",
    key="no_place_of_argument",
)
NOTHING_LINKED = Sentence(
    "The arguments refer to {place}, but nothing is connected to it.",
    "Connect that input, or use another one: {known}.",
    key="argument_of_nothing_linked",
)
NO_SUCH_VALUE = Sentence(
    "{place} was not found.", "Available: {known}.", key="no_such_value_of_argument"
)
COMMAND_UNREADABLE = Sentence(
    "The command cannot be parsed: {error}.", "Close all quotes in the command."
)
COMMAND_EMPTY = Sentence(
    "The command is empty.", "Clear the field, or enter a command such as python train.py."
)
SHELL_OPERATORS = Sentence(
    "The command contains {operators}, but no shell runs it: the program receives them as plain "
    "arguments.",
    "Use sh -c '{command}', or remove them.",
    key="command_shell_operators",
)
VARIABLES_NOT_REPLACED = Sentence(
    "The launcher {launcher} does not set {names}. The {count:variable is|variables are} not "
    "replaced in the arguments or the command.",
    "Correct the {count:name|names}, or add {count:it|them} to the variables of the run settings. "
    "Scripts read secrets from the environment.",
    key="script_variables_not_replaced",
)
SECOND_LAUNCHER = Sentence(
    "The command starts with {program}, which starts processes itself, but the launcher {launcher} "
    "already starts all processes.",
    "Remove {program} from the command, or choose the launcher none.",
)
NODE_STARTER = Sentence(
    "The command starts with {program}, which starts all processes of a machine. The launcher "
    "{launcher} also starts each process.",
    "Choose the launcher for one process a machine (pytorch_node), or use python SCRIPT.",
)
OTHER_COUNTS = Sentence(
    "The command sets {option} to {value}, but the run settings start {count}. The processes would "
    "wait for each other forever.",
    "Use {option} {count}, or change the counts in the run settings to match the command.",
)
OUTPUT_OUTSIDE = Sentence(
    "{path!r} is not a path in the working folder.",
    "Use a relative path without .., such as outputs/model.pt.",
)
OUTPUT_PATTERN = Sentence(
    "Invalid pattern {path!r}: ** must match whole folders.",
    "Write ** between slashes, such as outputs/**/*.csv. Use one * for part of a name.",
)
SOURCE_CHANGED = Sentence(
    "The source changed after the run was planned. The script runs with the current source, and "
    "its outputs are not cached."
)
SECRET_MISSING = Sentence(
    "Secret {names} was not found.",
    "Set it with designer secrets set, or remove its name from the node.",
)

MPIRUN_MISSING = Sentence(
    "mpirun is not installed on this machine.",
    "Install Open MPI (apt install openmpi-bin), or choose another launcher. Horovod scripts also "
    "run with the launcher for one process per rank.",
)
NO_WALL = Sentence(
    "Network access of the script cannot be blocked: bubblewrap does not run on this machine.",
    "Install it (apt install bubblewrap), or set Network to allowed.",
)
NO_WALL_FOR_IMAGE = Sentence(
    "Container images cannot run here: bubblewrap does not run on this machine.",
    "Install it (apt install bubblewrap), or choose an environment of packages.",
)
NO_MPI_IN_IMAGE = Sentence(
    "Open MPI on this machine cannot start processes in a container image.",
    "Choose another launcher, or an environment of packages.",
)
NO_MPI_APART = Sentence(
    "mpirun needs the same working path on all machines, but these machines share no folder.",
    "Choose another launcher, or start the cluster with the same TMPDIR on all machines.",
)
WALL_PARTS = Sentence(
    "Network access of {count} processes cannot be blocked: they also need the network to reach "
    "each other.",
    "Let one process start the others (one node, launcher pytorch_node or mpi). Or set Network to "
    "allowed.",
)
PROGRAM_MISSING = Sentence(
    "{program} cannot be started: {error}.",
    "Check its name. Programs of the environment come first on the PATH.",
)
PORT_NO_NUMBER = Sentence(
    "Invalid value {value!r} of the environment variable MASTER_PORT.",
    "Use a number between 1024 and 65535, or remove the variable to use a free port.",
)
PORT_OF_YOURS_TAKEN = Sentence(
    "Port {number}, set by MASTER_PORT, is already in use.",
    "Stop the program that uses it, choose another port, or remove the variable to use a free "
    "port.",
)
MACHINE_ABSENT = Sentence(
    "Machine {number} was not ready to run the script after {seconds:g} seconds.",
    "Check its launcher log. It may be waiting for an environment to be built.",
    key="script_machine_absent",
)
PORT_TAKEN = Sentence(
    "Another program took the script's port. The script is started once more with another port.",
    key="port_taken_once",
)

THE_SCRIPT = Sentence("The script")
ONE_PROCESS_OF = Sentence("{name}")
SCRIPT_RAISED = Sentence(
    "{who} failed:\n{lines}", "Correct the script. The log contains the complete output."
)
SCRIPT_ENDED = Sentence(
    "{who} {how}. Last lines of its output:\n{lines}",
    "Check its log. A script that succeeds must exit with code 0.",
)
SCRIPT_ENDED_SILENTLY = Sentence(
    "{who} {how} without any output.",
    "Let it print the reason. A script that succeeds must exit with code 0.",
)
EXIT_CODE = Sentence("exited with code {code}", key="script_exit_code")
BY_SIGNAL = Sentence("was terminated by {signal}", key="script_by_signal")
KILLED_BY_SYSTEM = Sentence(
    "was killed by the system, most likely because memory ran out", key="script_killed"
)
ENDED_BECAUSE = Sentence("was stopped because of {name}", key="script_ended_because")
GPU_WANTED = Sentence(
    "{who} requires GPUs, but this compute target has none:\n{lines}",
    "Choose a target with GPUs, or let the script use the CPU (for torch.distributed, the backend "
    "gloo).",
    key="script_wants_gpu",
)
LAUNCHER_SETS_NO_NAMES = Sentence(
    "{who} needs the variable {name}, which the launcher {launcher} does not set:\n{lines}",
    "Choose the launcher pytorch_process in the run settings. It sets the variable for each "
    "process.",
    key="script_launcher_sets_no_names",
)
MPI_WITHOUT_NAMES = Sentence(
    "{who} needs the variable {name}, which the launcher {launcher} sets only on request:\n{lines}",
    "Turn on Give PyTorch's names too.",
    key="script_mpi_without_names",
)
SCRIPT_OUT_OF_MEMORY = Sentence(
    "{who} ran out of memory:\n{lines}",
    "Reduce the memory use of the script, for example with a smaller batch size.",
)
PACKAGE_MISSING = Sentence(
    "{who} imports {name}, which is not installed in the environment {environment}:\n{lines}",
    "Add {package} to the environment.",
)
PACKAGE_MISSING_HERE = Sentence(
    "{who} imports {name}, which is not installed in the designer's own Python:\n{lines}",
    "Create an environment with {package} and choose it in the run settings.",
)
OUTPUT_MISSING = Sentence(
    "The script succeeded but did not write {missing}. Files in its working folder: {there}.",
    "Let the script write it, or change the model file and the declared outputs of the node.",
    key="script_output_missing",
)
MODEL_EMPTY = Sentence(
    "The script succeeded, but its model file {file} is empty (0 bytes).",
    "Write the model and close the file before the script ends, or change Model file.",
    key="script_model_empty",
)
OUTPUTS_EMPTY = Sentence(
    "The script wrote empty model files (0 bytes): {files}.",
    "Close each file before the script ends, or do not create it.",
    key="script_outputs_empty",
)
NOTHING_WRITTEN = Sentence("nothing", key="script_wrote_nothing")
WEIGHTS_DIFFER = Sentence(
    "The processes ended with different weights (ranks {ranks}). They trained separate models "
    "instead of one.",
    "Wrap the model in torch.nn.parallel.DistributedDataParallel. Check that the script also does "
    "so without a GPU.",
)
WRITTEN_TOGETHER = Sentence(
    "Several processes wrote the same files at the same time: {files}. The files may be damaged.",
    "Let only rank 0 write (if RANK is 0), or keep the outputs of every process.",
)
WRITTEN_BY_SEVERAL = Sentence(
    "Several processes wrote the same files with different contents: {files}. Only those of the "
    "first process are kept.",
    "Let only rank 0 write, or keep the outputs of every process.",
)
OUTPUTS_NOT_KEPT = Sentence(
    "{num_ranks:Rank|Ranks} {ranks} wrote {count:,} {count:file that is|files that are} not kept: "
    "{files}.",
    'To keep them, set "Outputs of" to "every process" or "all processes together".',
    key="script_outputs_not_kept",
)
LINKS_REMOVED = Sentence("Symbolic links to targets outside of the outputs are not kept: {links}.")
WROTE = Sentence("{count} {count:file|files}, {size}{metrics}", key="script_wrote")
WROTE_METRICS = Sentence(", {count} {count:metric|metrics}", key="script_wrote_metrics")
CLASSES_SHARE_FOLDER = Sentence(
    "The classes {classes} would share one folder, {folder}, and appear as one class to a script.",
    "Rename one of them. Slashes, leading dots and outer spaces are not kept in folder names.",
)
NO_CLASS_FOLDER = Sentence(
    "The input {input} has no images of {classes}, so the script gets no folder for this class.",
    "To include the class, add images of it or split with another fraction.",
)
EMPTY_CLASS_FOLDER = Sentence(
    "The input {input} has no images of {classes}, but the other input has. The class folder is "
    "empty.",
    "torchvision's ImageFolder rejects empty folders. Add images of the class, or pass "
    "allow_empty=True.",
)

name_sentences(globals())
