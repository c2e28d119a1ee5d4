"""What is said of compute targets: what trying them finds, and what becomes of steps there."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

# this machine

TORCH_DOES_NOT_START = Sentence(
    "torch_does_not_start", "torch does not start here: {error}.", "Install the project again."
)
TORCH_STARTS = Sentence("torch_starts", "torch {version} answers in {time}.")
GPUS_FOUND = Sentence("gpus_found", "It finds {gpus}.")

# machines that do not fit

_SAME = (
    "Give all machines the same environment: the target's setting python names one in a folder "
    "that they share."
)
VERSIONS_DIFFER = Sentence(
    "versions_differ", "{host} has {what} {theirs}, and the runner has {ours}.", _SAME
)
TOO_FEW_GPUS = Sentence(
    "too_few_gpus",
    "{host} has {count} {count:GPU|GPUs} for a step that wants {wanted}.",
    "Ask for GPUs in the target's setting gres, or choose a partition whose machines have them.",
)
TOO_FEW_CORES = Sentence(
    "too_few_cores",
    "{host} has {count} {count:core|cores} for a step that wants {wanted}.",
    "Lower the process count or the cores per process, or choose larger machines.",
)
NODE_CANNOT_WRITE = Sentence(
    "node_cannot_write",
    "{host} cannot write in {folder}, where it keeps what it decodes: {why}.",
    "Free some space there, or let your user write there; TMPDIR names another place.",
)
CLOCKS_DIFFER = Sentence(
    "clocks_differ",
    "The clocks of {host} and {first} are {seconds} seconds apart.",
    "Set the machines' clocks, say by NTP, then try again.",
)
NODES_ABSENT = Sentence(
    "nodes_absent",
    "{count} of {all} machines reported within {seconds:g} seconds.",
    "Look into the launcher logs; `designer target check NAME` tries them.",
)
NODES_APART = Sentence(
    "nodes_apart",
    "The {all} machines had not come together after {seconds:g} seconds.",
    "Look into the launcher logs; `designer target check NAME` tries them.",
)
NO_INTERFACE = Sentence(
    "no_interface",
    "{host} has no network interface {interface!r}.",
    "Correct the target's setting interface, or leave it out: then one is found.",
)
NODE_SILENT = Sentence(
    "node_silent",
    "{host} (machine {number}) has not been heard of for {seconds:g} seconds: it is lost.",
    "Resume the run: it goes on from the last checkpoint. Retries in the run settings do so by "
    "themselves.",
)

LEASE_ENDED = Sentence(
    "lease_ended",
    "{host} has not heard of the designer for {seconds:g} seconds, and ended the step.",
    "Resume the run: it goes on from the last checkpoint. Keep the designer running meanwhile.",
)
ENGINE_ENDED = Sentence(
    "engine_ended",
    "What the engine had started on {host} ended, and the step there with it.",
    "Resume the run: it goes on from the last checkpoint. See whether the engine still runs "
    "on that machine.",
)

# engines

NOT_LET_IN = Sentence(
    "engine_not_let_in",
    "{engine} can no longer be asked about this step, which goes on: {why}",
)
STEP_UNHEARD = Sentence(
    "step_unheard",
    "{place} does not answer, so nothing is heard of this step, which goes on.",
    "Look at the network, the store and the rights there: what it tells comes when it answers.",
)
NO_NODE_REPORTED = Sentence(
    "no_node_reported",
    "{engine} ended the job before any machine had reported.",
    "Its machines must see {folder}, and the target's setting python must name a Python there: "
    "`designer target check NAME` tries both.",
)
NODE_NEVER_REPORTED = Sentence(
    "node_never_reported",
    "{engine} ended the job when {there} of {count} machines had reported: {hosts}.",
    "Resume the run once all machines are there: it goes on from the last checkpoint. Retries in "
    "the run settings do so by themselves.",
)
NO_SLURM_COMMAND = Sentence(
    "no_slurm_command",
    "The command {command} is not there.",
    "Start the designer on a machine of the cluster that has Slurm's commands.",
)
NO_SLURM_CONFIGURATION = Sentence(
    "no_slurm_configuration",
    "Slurm's {command} finds no cluster: this machine has no slurm.conf.",
    "Start the designer on a machine of the cluster that has Slurm's commands.",
)
SLURM_REFUSES = Sentence(
    "slurm_refuses",
    "Slurm's {command} does not do it: {why}.",
    "Correct the target's settings: designer target show NAME.",
)
NEVER_STARTS = Sentence(
    "never_starts",
    "Slurm can never start this step ({reason}).",
    "Ask for fewer machines, fewer processes or less time, or correct the target's settings.",
)
NODE_TAKEN = Sentence(
    "node_taken",
    "Slurm took a machine of this step away ({state}).",
    "Resume the run: it goes on from the last checkpoint. Retries in the run settings do so by "
    "themselves.",
)
SLURM_TIME_LIMIT = Sentence(
    "slurm_time_limit",
    "Slurm ended the step at its time limit.",
    "Raise the target's setting time_limit, then resume the run: it goes on from the last "
    "checkpoint.",
)
CANCELLED_THERE = Sentence(
    "cancelled_there",
    "Somebody cancelled the job of this step in Slurm.",
    "Resume the run: it goes on from the last checkpoint.",
)
NOT_SHARED = Sentence(
    "not_shared",
    "The workspace does not lie in {folder}, which the machines share: {workspace}.",
    "Move the workspace there, or correct the target's setting shared_folder.",
)

# trying Slurm

SLURM_ANSWERS = Sentence("slurm_answers", "Slurm answers; its partitions are {partitions}.")
SLURM_SILENT = Sentence(
    "slurm_silent",
    "Slurm's controller does not answer.",
    "Ask whether slurmctld runs: steps that Slurm has go on meanwhile.",
)
NO_PARTITION = Sentence(
    "no_partition",
    "There is no partition {partition!r}.",
    "Choose one of {partitions}: remove the target and add it again.",
)
NODES_REPORT = Sentence("nodes_report", "{hosts} started a process and reported.")
FOLDER_SHARED = Sentence("folder_shared", "The machines see and write {folder}.")
FOLDER_NOT_SHARED = Sentence(
    "folder_not_shared",
    "{count} of {all} machines see {folder} and can write there.",
    "Put the workspace into a folder that all machines mount at the same path, with your user's "
    "rights.",
)
STORE_REACHED = Sentence(
    "store_reached", "The machines read in {store} what was put there, and wrote to it."
)
STORE_NOT_REACHED = Sentence(
    "store_not_reached",
    "{count} of {all} machines read and write {store}.",
    "Let all of them reach it, with the store's package in the target's python and with rights.",
)
VERSIONS_EQUAL = Sentence(
    "versions_equal",
    "{host} has the same code, Python {python} and torch {torch}; {cores} {cores:core|cores} and "
    "{gpus} {gpus:GPU|GPUs} were given.",
)
CHECK_WAITS = Sentence(
    "check_waits",
    "The job that tries the machines waited for {seconds:g} seconds ({reason}).",
    "Try again when machines are free; steps wait in the queue for as long as it takes.",
)
SUM_OF_NODES = Sentence(
    "sum_of_nodes", "{size} were summed over the machines at {speed}/s; they met at {address}."
)
NO_SUM = Sentence(
    "no_sum",
    "The machines did not finish a sum together.",
    "Let them reach each other on all TCP ports, or name their network in the setting interface.",
)
