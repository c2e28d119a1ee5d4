"""What is said of machines that are reached by SSH."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_SSH_CLIENT = Sentence(
    "no_ssh_client",
    "The command ssh is not there.",
    "Install OpenSSH's client (the package openssh-client), then try again.",
)
HOST_UNKNOWN = Sentence(
    "ssh_host_unknown",
    "No machine is known by the name {host}.",
    "Correct the target's setting hosts, or name it in ~/.ssh/config.",
)
HOST_REFUSES = Sentence(
    "ssh_host_refuses",
    "{host} refuses connections by SSH.",
    "Start sshd there; another port than 22 is named in ~/.ssh/config.",
)
HOST_AWAY = Sentence(
    "ssh_host_away",
    "{host} does not answer ({why}).",
    "Switch it on, or see to its network; leave it out of the target's setting hosts meanwhile.",
)
KEY_REFUSED = Sentence(
    "ssh_key_refused",
    "{host} does not accept a key of {user}.",
    "Run `ssh-copy-id {login}`; a key with a passphrase has to be in ssh-agent (`ssh-add`).",
)
HOST_KEY_UNKNOWN = Sentence(
    "ssh_host_key_unknown",
    "The key of {host} is not known here.",
    "Run `ssh {login}` once in a terminal, compare the fingerprint that it shows with the "
    "machine's, and accept it.",
)
HOST_KEY_CHANGED = Sentence(
    "ssh_host_key_changed",
    "{host} has another key than before: it was installed anew, or is not the same machine.",
    "Ask who runs it. If that is right: `ssh-keygen -R {host}`, then `ssh {login}` once in a "
    "terminal.",
)
SSH_FAILS = Sentence(
    "ssh_fails", "ssh cannot reach {host}: {why}.", "Run `ssh {login}` in a terminal to see more."
)
PYTHON_ABSENT = Sentence(
    "ssh_python_absent",
    "{host} has no Python at {python}.",
    "Correct the target's setting python: it names one in a folder that all machines share.",
)
CODE_ABSENT = Sentence(
    "ssh_code_absent",
    "{python} on {host} does not have Pipeline Designer.",
    "Install the project there, or name a Python that has it in the target's setting python.",
)
START_FAILS = Sentence(
    "ssh_start_fails",
    "{host} could not start a process of this step: {why}.",
    "Try the target: `designer target check NAME`.",
)
TOO_FEW_HOSTS = Sentence(
    "ssh_too_few_hosts",
    "The step needs {wanted} machines; the target names {count}.",
    "Add machines to the target's setting hosts, or ask for fewer in the run settings.",
)
FOLDER_ABSENT = Sentence(
    "ssh_folder_absent",
    "{host} does not see {folder}.",
    "Put the workspace into a folder that all machines mount at the same path.",
)
FOLDER_READ_ONLY = Sentence(
    "ssh_folder_read_only",
    "{host} cannot write in {folder}: {why}.",
    "Give {user} the right to write there on every machine.",
)
FOLDER_DIFFERS = Sentence(
    "ssh_folder_differs",
    "{host} has a folder of its own at {folder}: what it writes there is not seen here.",
    "Put the workspace into a folder that all machines mount at the same path.",
)
# what trying them finds

HOST_ANSWERS = Sentence("ssh_host_answers", "{host} lets {user} in.")
FOLDER_SEEN = Sentence("ssh_folder_seen", "{host} sees and writes {folder}.")
