"""What is said of training scripts: their source, their start, their end."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_SCRIPT = Sentence(
    "no_script",
    "Run Training Script has no script.",
    "Choose a source folder, or type the script into the node.",
)
TWO_SOURCES = Sentence(
    "two_sources_of_script",
    "There are a source folder and a typed script.",
    "Empty one of the two.",
)
NO_SOURCE_THERE = Sentence(
    "no_script_source_there",
    "{path} is not there.",
    "Check the path: it is one on the machine that runs the step.",
)
SOURCE_UNREADABLE = Sentence(
    "script_source_unreadable",
    "The source folder {folder} cannot be read: {error}.",
    "Check that it is there and that this server may read it.",
)
SOURCE_WITHOUT_END = Sentence(
    "script_source_without_end",
    "The source folder {folder} holds more than {limit:,} files and folders.",
    "Choose the folder of the script itself; data come in by ports.",
)
SOURCE_TOO_LARGE = Sentence(
    "script_source_too_large",
    "The source folder holds {count:,} files of {size}, more than {max_files:,} files or "
    "{max_size}. The largest: {largest}.",
    "Name what is not needed in a file .amlignore in that folder; data come in by ports.",
)
LINK_LEADS_OUT = Sentence(
    "script_link_leads_out",
    "The link {link} leads out of the source folder.",
    "Replace it by what it leads to, or name it in .amlignore.",
)
SOURCE_TAKES_PLACE = Sentence(
    "script_source_takes_place",
    "The source has a file {name}, where scripts find a folder {name} to write into.",
    "Rename it, or name it in a file .amlignore in that folder.",
)
NO_SUCH_SCRIPT = Sentence(
    "no_such_script",
    "There is no script {script} in the source folder.",
    "It has: {there}. Choose one of them.",
)
WHICH_SCRIPT = Sentence(
    "which_script", "It is not clear which script to run.", "Choose one of: {there}."
)
ARGUMENT_OUTSIDE = Sentence(
    "script_argument_outside",
    "The path {path!r} in {argument!r} is outside the folders that pipelines may use.",
    "Connect the data to an input, or choose a path below one of: {roots}. "
    "DESIGNER_DATA_ROOTS adds folders.",
)
ARGUMENT_LEAVES_FOLDER = Sentence(
    "script_argument_leaves_folder",
    "The path {path!r} in {argument!r} leads out of the working folder.",
    "Connect the data to an input, or write the absolute path of an allowed folder.",
)
SECRETS_FOUND = Sentence(
    "secrets_in_source",
    "The source folder seems to hold secrets: {places}. They are copied with it.",
    "Name those files in .amlignore, and give the script what it needs as secrets of the node.",
)

NO_PLACE = Sentence(
    "no_place_of_argument",
    "{text!r} means nothing.",
    "Write {{{{inputs.NAME}}}}, {{{{outputs.NAME}}}} or {{{{parameters.NAME}}}}.",
)
NOTHING_LINKED = Sentence(
    "argument_of_nothing_linked",
    "The arguments name {place}, and nothing is connected there.",
    "Connect that input, or name another one: {known}.",
)
NO_SUCH_VALUE = Sentence("no_such_value_of_argument", "There is no {place}.", "There are: {known}.")
COMMAND_UNREADABLE = Sentence(
    "command_unreadable", "The command cannot be read: {error}.", "Close what was opened."
)
COMMAND_EMPTY = Sentence(
    "command_empty", "The command is empty.", "Clear it, or write one: python train.py."
)
SHELL_OPERATORS = Sentence(
    "command_shell_operators",
    "The command has {operators}, and no shell runs it: the program gets them as words.",
    "Write sh -c '{command}', or leave them out.",
)
VARIABLES_NOT_REPLACED = Sentence(
    "script_variables_not_replaced",
    "{names} in the arguments or the command {count:is|are} not replaced: the launcher {launcher} "
    "sets no such {count:variable|variables}.",
    "Correct the {count:name|names}, or add {count:it|them} to the variables of the run settings. "
    "A script reads secrets itself.",
)
SECOND_LAUNCHER = Sentence(
    "second_launcher",
    "The command begins with {program}, which starts processes, and the launcher {launcher} "
    "starts them already: each of them would start all others again.",
    "Write what {program} is to start, without it; or choose the launcher none.",
)
NODE_STARTER = Sentence(
    "node_starter",
    "The command begins with {program}, which starts the processes of a machine, and the launcher "
    "{launcher} starts each of them already.",
    "Choose the launcher for one process a machine (pytorch_node), or write python SCRIPT.",
)
OTHER_COUNTS = Sentence(
    "other_counts",
    "The command says {option} {value}, and the run settings start {count}: they would wait for "
    "each other in vain.",
    "Write {option} {count}, or set the counts of the run settings to what the command says.",
)
OUTPUT_OUTSIDE = Sentence(
    "output_outside",
    "{path!r} is no path in the working folder.",
    "Write one without .. and / at its beginning, such as outputs/model.pt.",
)
OUTPUT_PATTERN = Sentence(
    "output_pattern",
    "{path!r} is no pattern: ** stands for whole folders.",
    "Write ** between slashes, such as outputs/**/*.csv, or one * for a part of a name.",
)
SOURCE_CHANGED = Sentence(
    "source_changed",
    "The source has changed since the run was planned. The script runs as it is now, and no other "
    "run takes what it writes.",
)
SECRET_MISSING = Sentence(
    "secret_missing",
    "There is no secret {names}.",
    "Set it with designer secrets set, or take its name from the node.",
)

MPIRUN_MISSING = Sentence(
    "mpirun_missing",
    "mpirun is not on this machine.",
    "Install Open MPI (apt install openmpi-bin), or choose another launcher: Horovod scripts run "
    "with the launcher for one process per rank.",
)
NO_WALL = Sentence(
    "no_wall",
    "The script cannot be shut off from the network here: bubblewrap does not run on this machine.",
    "Install it (apt install bubblewrap), or set Network to allowed.",
)
NO_WALL_FOR_IMAGE = Sentence(
    "no_wall_for_image",
    "Nothing can run in an image here: bubblewrap does not run on this machine.",
    "Install it (apt install bubblewrap), or choose an environment of packages.",
)
NO_MPI_IN_IMAGE = Sentence(
    "no_mpi_in_image",
    "This machine's Open MPI cannot start processes in an image.",
    "Choose another launcher, or an environment of packages.",
)
NO_MPI_APART = Sentence(
    "no_mpi_apart",
    "The machines share no folder, and have theirs at different paths: mpirun knows one path only.",
    "Choose another launcher, or start the cluster with the same TMPDIR on all machines.",
)
WALL_PARTS = Sentence(
    "wall_parts",
    "{count} processes cannot be shut off from the network: each would be from the others too.",
    "Have one process start the others (one node, with the launcher pytorch_node or mpi), or set "
    "Network to allowed.",
)
PROGRAM_MISSING = Sentence(
    "program_missing",
    "{program} cannot be started: {error}.",
    "Check its name; the programs of the environment come first on the PATH.",
)
PORT_NO_NUMBER = Sentence(
    "port_no_number",
    "The environment variable MASTER_PORT is {value!r}.",
    "Give a number between 1024 and 65535, or remove it: then a free port is found.",
)
PORT_OF_YOURS_TAKEN = Sentence(
    "port_of_yours_taken",
    "Port {number}, which MASTER_PORT names, is in use.",
    "End what uses it, name another port, or remove the variable: then a free port is found.",
)
MACHINE_ABSENT = Sentence(
    "script_machine_absent",
    "Machine {number} did not get ready for the script within {seconds:g} seconds.",
    "See its launcher log: it may be waiting for an environment to be built.",
)
PORT_TAKEN = Sentence(
    "port_taken_once",
    "The script's port was taken by another program. It is started once more, with another one.",
)

THE_SCRIPT = Sentence("the_script", "The script")
ONE_PROCESS_OF = Sentence("one_process_of", "{name}")
SCRIPT_RAISED = Sentence(
    "script_raised",
    "{who} failed:\n{lines}",
    "Correct the script; the log has all of it.",
)
SCRIPT_ENDED = Sentence(
    "script_ended",
    "{who} {how}. Its last lines:\n{lines}",
    "Look into its log; a script that succeeds ends with exit code 0.",
)
SCRIPT_ENDED_SILENTLY = Sentence(
    "script_ended_silently",
    "{who} {how} and printed nothing.",
    "Have it print why; a script that succeeds ends with exit code 0.",
)
EXIT_CODE = Sentence("script_exit_code", "ended with exit code {code}")
BY_SIGNAL = Sentence("script_by_signal", "was ended by {signal}")
KILLED_BY_SYSTEM = Sentence(
    "script_killed", "was killed by the system, which does that most often when memory runs out"
)
ENDED_BECAUSE = Sentence("script_ended_because", "was ended because of {name}")
GPU_WANTED = Sentence(
    "script_wants_gpu",
    "{who} asks for GPUs, and this compute target has none:\n{lines}",
    "Choose a target with GPUs, or have the script compute on the CPU (for torch.distributed: the "
    "backend gloo).",
)
LAUNCHER_SETS_NO_NAMES = Sentence(
    "script_launcher_sets_no_names",
    "{who} needs the variable {name}, which the launcher {launcher} does not set:\n{lines}",
    "Choose the launcher pytorch_process in the run settings: it sets it for each process.",
)
MPI_WITHOUT_NAMES = Sentence(
    "script_mpi_without_names",
    "{who} needs the variable {name}, which the launcher {launcher} sets only on request:\n{lines}",
    "Turn on Give PyTorch's names too.",
)
SCRIPT_OUT_OF_MEMORY = Sentence(
    "script_out_of_memory",
    "{who} ran out of memory:\n{lines}",
    "Have the script take less at a time, a smaller batch for one.",
)
PACKAGE_MISSING = Sentence(
    "package_missing",
    "{who} imports {name}, which is not in the environment {environment}:\n{lines}",
    "Add {package} to it.",
)
PACKAGE_MISSING_HERE = Sentence(
    "package_missing_here",
    "{who} imports {name}, which the designer's own Python does not have:\n{lines}",
    "Make an environment with {package} and choose it in the run settings.",
)
OUTPUT_MISSING = Sentence(
    "script_output_missing",
    "The script ended well and wrote no {missing}. In its working folder it wrote: {there}.",
    "Have it write there, or change the model file and the declared outputs of the node.",
)
MODEL_EMPTY = Sentence(
    "script_model_empty",
    "The script ended without an error, but its model file {file} is empty (0 bytes).",
    "Write the model and close the file before the script ends, or change Model file.",
)
OUTPUTS_EMPTY = Sentence(
    "script_outputs_empty",
    "Model files that the script wrote are empty (0 bytes): {files}.",
    "Close each file before the script ends, or do not create it.",
)
NOTHING_WRITTEN = Sentence("script_wrote_nothing", "nothing")
WEIGHTS_DIFFER = Sentence(
    "weights_differ",
    "The processes ended with different weights: ranks {ranks}. They have trained models of their "
    "own, not one together.",
    "Wrap the model (torch.nn.parallel.DistributedDataParallel), or check that the script does "
    "so without a GPU too.",
)
WRITTEN_TOGETHER = Sentence(
    "written_together",
    "Several processes wrote the same files at once: {files}. They may be damaged.",
    "Have rank 0 alone write (if RANK is 0), or keep the outputs of every process.",
)
WRITTEN_BY_SEVERAL = Sentence(
    "written_by_several",
    "Several processes wrote the same files, each with other contents: {files}. Those of the first "
    "are kept.",
    "Have rank 0 alone write, or keep the outputs of every process.",
)
OUTPUTS_NOT_KEPT = Sentence(
    "script_outputs_not_kept",
    "{num_ranks:Rank|Ranks} {ranks} wrote {count:,} {count:file that is|files that are} not kept: "
    "{files}.",
    'To keep them, set "Outputs of" to "every process" or "all processes together".',
)
LINKS_REMOVED = Sentence(
    "links_removed", "Links that lead out of the outputs are not kept: {links}."
)
WROTE = Sentence("script_wrote", "{count} {count:file|files}, {size}{metrics}")
WROTE_METRICS = Sentence("script_wrote_metrics", ", {count} {count:metric|metrics}")
CLASSES_SHARE_FOLDER = Sentence(
    "classes_share_folder",
    "The classes {classes} would have one folder, {folder}: a script would take them for one.",
    "Rename one of them: slashes, dots in front and outer spaces do not tell folders apart.",
)
NO_CLASS_FOLDER = Sentence(
    "no_class_folder",
    "The input {input} has no image of {classes}, so the script finds no folder of it.",
    "To include the class, add images of it or split with another fraction.",
)
EMPTY_CLASS_FOLDER = Sentence(
    "empty_class_folder",
    "The input {input} has no image of {classes}, which the other input has: its folder is empty.",
    "ImageFolder of torchvision ends there: add images of it, or pass allow_empty=True.",
)
