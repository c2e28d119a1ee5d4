"""Messages about compute targets: their checks, and steps that run on them."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

# this machine

TORCH_DOES_NOT_START = Sentence("Cannot import torch: {error}.", "Reinstall the project.")
TORCH_STARTS = Sentence("torch {version} starts in {time}.")
GPUS_FOUND = Sentence("GPUs found: {gpus}.")

_RESUME = (
    "Resume the run to continue from the last checkpoint. Retries in the run settings do this "
    "automatically."
)

# unsuitable machines

_SAME = (
    "Use the same environment on all machines: set the target's setting python to one in a "
    "folder that they share."
)
VERSIONS_DIFFER = Sentence("{host} has {what} {theirs}, but the runner has {ours}.", _SAME)
TOO_FEW_GPUS = Sentence(
    "{host} has {count} {count:GPU|GPUs}, but the step needs {wanted}.",
    "Request GPUs in the target's setting gres, or choose a partition with GPUs.",
)
TOO_FEW_CORES = Sentence(
    "{host} has {count} {count:core|cores}, but the step needs {wanted}.",
    "Lower the process count or the cores per process, or choose larger machines.",
)
NODE_CANNOT_WRITE = Sentence(
    "{host} cannot write decoded images to {folder}: {why}.",
    "Free disk space or change the folder's permissions, or set TMPDIR to another folder.",
)
CLOCKS_DIFFER = Sentence(
    "The clocks of {host} and {first} differ by {seconds} seconds.",
    "Synchronize the clocks, for example by NTP, then try again.",
)
NODES_ABSENT = Sentence(
    "Only {count} of {all} machines reported within {seconds:g} seconds.",
    "See the launcher logs. `designer target check NAME` checks the machines.",
)
NODES_APART = Sentence(
    "The rendezvous of {all} machines timed out after {seconds:g} seconds.",
    "See the launcher logs. `designer target check NAME` checks the machines.",
)
NO_INTERFACE = Sentence(
    "{host} has no network interface {interface!r}.",
    "Correct the target's setting interface, or remove it to detect the interface automatically.",
)
NODE_SILENT = Sentence(
    "{host} (machine {number}) was lost: it sent no heartbeat for {seconds:g} seconds.", _RESUME
)

LEASE_ENDED = Sentence(
    "{host} ended the step after {seconds:g} seconds without contact to the designer.",
    "Keep the designer running. Resume the run to continue from the last checkpoint.",
)
ENGINE_ENDED = Sentence(
    "The engine's process on {host} ended, and with it the step.",
    "Check that the engine is running on that machine. Resume the run to continue from the "
    "last checkpoint.",
)

# engines

NOT_LET_IN = Sentence(
    "{engine} rejects status requests for this step, but the step continues: {why}",
    key="engine_not_let_in",
)
STEP_UNHEARD = Sentence(
    "{place} is not responding, so the step continues without status updates.",
    "Check the network, the store and its permissions. Updates appear when it responds again.",
)
NO_NODE_REPORTED = Sentence(
    "{engine} ended the job before any machine reported.",
    "Check that its machines can access {folder} and that the target's setting python "
    "exists there: `designer target check NAME`.",
)
NODE_NEVER_REPORTED = Sentence(
    "{engine} ended the job when only {there} of {count} machines had reported: {hosts}.",
    "Resume the run when all machines are available to continue from the last checkpoint. "
    "Retries in the run settings do this automatically.",
)
NO_SLURM_COMMAND = Sentence(
    "The command {command} was not found.",
    "Start the designer on a machine of the cluster that has Slurm's commands.",
)
NO_SLURM_CONFIGURATION = Sentence(
    "Slurm's {command} found no cluster: slurm.conf is missing on this machine.",
    "Start the designer on a machine of the cluster that has Slurm's commands.",
)
SLURM_REFUSES = Sentence(
    "Slurm's {command} failed: {why}.",
    "Correct the target's settings. `designer target show NAME` shows them.",
)
NEVER_STARTS = Sentence(
    "Slurm can never start this step ({reason}).",
    "Request fewer machines, fewer processes or less time, or correct the target's settings.",
)
NODE_TAKEN = Sentence("Slurm removed a machine from this step ({state}).", _RESUME)
SLURM_TIME_LIMIT = Sentence(
    "Slurm ended the step at its time limit.",
    "Raise the target's setting time_limit. Then resume the run to continue from the last "
    "checkpoint.",
)
CANCELLED_THERE = Sentence(
    "The job of this step was cancelled in Slurm.",
    "Resume the run to continue from the last checkpoint.",
)
NOT_SHARED = Sentence(
    "The workspace {workspace} is not in the shared folder {folder}.",
    "Move the workspace there, or correct the target's setting shared_folder.",
)

# target check of Slurm

SLURM_ANSWERS = Sentence("Slurm responds. Partitions: {partitions}.")
SLURM_SILENT = Sentence(
    "Slurm's controller is not responding.",
    "Check that slurmctld is running. Steps that Slurm has started continue.",
)
NO_PARTITION = Sentence(
    "Partition {partition!r} not found.",
    "Choose one of {partitions}: remove the target and add it again.",
)
NODES_REPORT = Sentence("These machines started a process and reported: {hosts}.")
FOLDER_SHARED = Sentence("The machines can read and write {folder}.")
FOLDER_NOT_SHARED = Sentence(
    "Only {count} of {all} machines can read and write {folder}.",
    "Move the workspace to a folder that all machines mount at the same path with your "
    "permissions.",
)
STORE_REACHED = Sentence("The machines can read from and write to {store}.")
STORE_NOT_REACHED = Sentence(
    "Only {count} of {all} machines can read from and write to {store}.",
    "Install the store's package in the target's python, and allow all machines to access "
    "the store.",
)
VERSIONS_EQUAL = Sentence(
    "{host} has the same code, Python {python} and torch {torch}. It provides {cores} "
    "{cores:core|cores} and {gpus} {gpus:GPU|GPUs}."
)
CHECK_WAITS = Sentence(
    "The check's job waited for {seconds:g} seconds without a result ({reason}).",
    "Try again when machines are free. Steps stay in the queue until they start.",
)
SUM_OF_NODES = Sentence("The machines summed {size} at {speed}/s. Their rendezvous was {address}.")
NO_SUM = Sentence(
    "The machines could not complete a distributed sum.",
    "Open all TCP ports between them, or set their network in the setting interface.",
)

name_sentences(globals())
