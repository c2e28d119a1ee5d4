"""Messages about Ray clusters."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

_RESUME = "Resume the run to continue from the last checkpoint."

HOST_UNKNOWN = Sentence(
    "Host name of {address} not found.",
    "To correct the target's setting address, remove the target and add it again.",
)
NOT_RAY = Sentence(
    "The server at {address} is not Ray's Jobs API.",
    "Use the address of Ray's dashboard, for example http://ray.example.org:8265.",
)
NO_TOKEN_FILE = Sentence(
    "Cannot read the token file {path}: {why}.",
    "Write Ray's token to this file, or correct the target's setting token_file.",
)
TOKEN_FILE_OPEN = Sentence(
    "Other users can read the token file {path}. With the token, they can run programs on "
    "the cluster.",
    "Run `chmod 600 {path}`.",
)
TOKEN_FILE_ODD = Sentence(
    "{path} must contain a token: one word of printable characters.",
    "Write only Ray's token to this file.",
)
TOKEN_REFUSED = Sentence(
    "Ray at {address} rejected the token in {path}.",
    "Write the cluster's token to this file. The cluster's operator finds it in the file "
    "that RAY_AUTH_TOKEN_PATH names.",
)
TOKEN_MISSING = Sentence(
    "Ray at {address} requires a token.",
    "Save it in a file that only you can read, and set the target's setting token_file to "
    "its path.",
)
REFUSES_JOB = Sentence(
    "Ray rejected the job: {why}.", "Check the target: `designer target check NAME`."
)
DRIVER_FAILS = Sentence(
    "The step's job on Ray's head node failed: {why}.",
    "See the job {name} in Ray's dashboard. `designer target check NAME` checks the target.",
)
HEAD_WITHOUT_FOLDER = Sentence(
    "Ray's head node cannot access {folder}.",
    "Move the workspace to a folder that all machines, including the head node, mount at "
    "the same path.",
)
HEAD_WITHOUT_RAY = Sentence(
    "Ray is not installed for the python3 on the PATH of Ray's head node.",
    "Activate the environment that contains Ray before you run `ray start`.",
)
STORE_UNREACHED = Sentence(
    "{host} cannot access the workspace's object store: {why}.",
    "Install the store's package in the target's python, and allow access. AWS_, AZURE_ and "
    "GOOGLE_ variables of the designer are passed on. Credential files and roles must "
    "exist on Ray's machines.",
)
ONE_FOLDER_NEEDED = Sentence(
    "All processes of the script need one working folder, but the machines share no folder.",
    "Choose another value of Outputs of, or request one machine in the run settings. Or "
    "move the workspace to a folder that all machines mount, and remove the target's "
    "setting shared_folder.",
)
NODE_GONE = Sentence(
    "Ray lost {host} (machine {number}) or ended its processes.",
    "Resume the run to continue from the last checkpoint. Retries in the run settings do "
    "this automatically.",
)
CANCELLED = Sentence("The job of this step was stopped in Ray.", _RESUME)

# target check

ANSWERS = Sentence("Ray {version} responds at {address}.")
SILENT = Sentence(
    "No response from {address}.",
    "Check that Ray's head node is running and that this is the address of its dashboard. "
    "Running steps continue for one minute without it.",
)
TOKEN_ACCEPTED = Sentence("Ray accepts the token in {path}.")
NO_TOKEN = Sentence(
    "The cluster does not require a token, so anyone who can reach it can run programs "
    "there. Keep it in a private network."
)

name_sentences(globals(), prefix="ray_")
