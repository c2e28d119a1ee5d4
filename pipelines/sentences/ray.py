"""What is said of Ray clusters."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

HOST_UNKNOWN = Sentence(
    "ray_host_unknown",
    "No machine is known by the name in {address}.",
    "Correct the target's setting address: remove the target and add it again.",
)
NOT_RAY = Sentence(
    "ray_not_ray",
    "What answers at {address} is not Ray's Jobs API.",
    "Give the address of Ray's dashboard, as in http://ray.example.org:8265.",
)
NO_TOKEN_FILE = Sentence(
    "ray_no_token_file",
    "The token file {path} cannot be read: {why}.",
    "Write Ray's token there, or correct the target's setting token_file.",
)
TOKEN_FILE_OPEN = Sentence(
    "ray_token_file_open",
    "Others may read the token file {path}: who has the token can run programs on the cluster.",
    "Run `chmod 600 {path}`.",
)
TOKEN_FILE_ODD = Sentence(
    "ray_token_file_odd",
    "{path} does not hold a token: that is one word of printable characters.",
    "Write Ray's token there, and nothing else.",
)
TOKEN_REFUSED = Sentence(
    "ray_token_refused",
    "Ray at {address} does not accept the token in {path}.",
    "Write the cluster's token there: whoever runs the cluster has it in RAY_AUTH_TOKEN_PATH.",
)
TOKEN_MISSING = Sentence(
    "ray_token_missing",
    "Ray at {address} asks for a token.",
    "Write it into a file that only you can read, and name that in the target's setting "
    "token_file.",
)
REFUSES_JOB = Sentence(
    "ray_refuses_job",
    "Ray does not take the job: {why}.",
    "Try the target: `designer target check NAME`.",
)
DRIVER_FAILS = Sentence(
    "ray_driver_fails",
    "The step's job on Ray's head failed: {why}.",
    "Look at the job {name} in Ray's dashboard; `designer target check NAME` tries the target.",
)
HEAD_WITHOUT_FOLDER = Sentence(
    "ray_head_without_folder",
    "Ray's head does not see {folder}.",
    "Put the workspace into a folder that all machines, the head too, mount at the same path.",
)
HEAD_WITHOUT_RAY = Sentence(
    "ray_head_without_ray",
    "The python3 that Ray's head finds on its PATH does not have Ray.",
    "Start Ray with the folder of its own Python first on PATH: activate its environment before "
    "`ray start`.",
)
STORE_UNREACHED = Sentence(
    "ray_store_unreached",
    "{host} cannot use the workspace's object store: {why}.",
    "Let Ray's machines reach it, with the store's package in the target's python and with rights: "
    "variables that the designer was started with (AWS_..., AZURE_..., GOOGLE_...) go there, files "
    "and roles have to be the machines' own.",
)
ONE_FOLDER_NEEDED = Sentence(
    "ray_one_folder_needed",
    "All processes of the script are to share one working folder, which machines that share no "
    "folder cannot have.",
    "Choose another one of Outputs of, ask for one machine in the run settings, or put the "
    "workspace into a folder that all machines mount at the same path and take the target's "
    "setting shared_folder away.",
)
NODE_GONE = Sentence(
    "ray_node_gone",
    "Ray lost {host} (machine {number}), or ended what runs there.",
    "Resume the run: it goes on from the last checkpoint. Retries in the run settings do so by "
    "themselves.",
)
CANCELLED = Sentence(
    "ray_cancelled",
    "Somebody stopped the job of this step in Ray.",
    "Resume the run: it goes on from the last checkpoint.",
)

# trying it

ANSWERS = Sentence("ray_answers", "Ray {version} answers at {address}.")
SILENT = Sentence(
    "ray_silent",
    "Nobody answers at {address}.",
    "Ask whether Ray's head runs, and compare the address with that of its dashboard: steps that "
    "Ray has go on for a minute without it.",
)
TOKEN_ACCEPTED = Sentence("ray_token_accepted", "The token in {path} is accepted.")
NO_TOKEN = Sentence(
    "ray_no_token",
    "The cluster asks for no token: whoever reaches it can run programs there. Keep it in a "
    "private network.",
)
