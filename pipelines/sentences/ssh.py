"""Messages about machines that are reached by SSH."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_SSH_CLIENT = Sentence(
    "The command ssh was not found.",
    "Install the OpenSSH client (package openssh-client) and try again.",
    key="no_ssh_client",
)
HOST_UNKNOWN = Sentence(
    "Host {host} not found.",
    "Correct the target's setting hosts, or add the host to ~/.ssh/config.",
)
HOST_REFUSES = Sentence(
    "{host} refused the SSH connection.",
    "Start sshd on the host. Set a port other than 22 in ~/.ssh/config.",
)
HOST_AWAY = Sentence(
    "{host} is not responding ({why}).",
    "Check the machine and its network, or remove it from the target's setting hosts.",
)
KEY_REFUSED = Sentence(
    "{host} rejected the SSH keys for {user}.",
    "Run `ssh-copy-id {login}`. Add a key with a passphrase to ssh-agent with `ssh-add`.",
)
HOST_KEY_UNKNOWN = Sentence(
    "The host key of {host} is unknown.",
    "Run `ssh {login}` once in a terminal, compare the fingerprint with the machine's and "
    "accept it.",
)
HOST_KEY_CHANGED = Sentence(
    "The host key of {host} has changed: it was reinstalled or is a different machine.",
    "Ask its administrator. If the change is correct, run `ssh-keygen -R {host}`, then `ssh "
    "{login}` once in a terminal.",
)
SSH_FAILS = Sentence(
    "Cannot connect to {host} by SSH: {why}.",
    "Run `ssh {login}` in a terminal for details.",
    key="ssh_fails",
)
PYTHON_ABSENT = Sentence(
    "Python was not found on {host} at {python}.",
    "Correct the target's setting python. It must be in a folder that all machines share.",
)
CODE_ABSENT = Sentence(
    "Pipeline Designer is not installed for {python} on {host}.",
    "Install it there, or set the target's setting python to a Python that has it.",
)
START_FAILS = Sentence(
    "{host} could not start a process of this step: {why}.",
    "Check the target: `designer target check NAME`.",
)
TOO_FEW_HOSTS = Sentence(
    "The step needs {wanted} machines, but the target has only {count}.",
    "Add machines to the target's setting hosts, or request fewer in the run settings.",
)
FOLDER_ABSENT = Sentence(
    "{host} cannot access {folder}.",
    "Move the workspace to a folder that all machines mount at the same path.",
)
FOLDER_READ_ONLY = Sentence(
    "{host} cannot write to {folder}: {why}.",
    "Give {user} permission to write to this folder on every machine.",
)
FOLDER_DIFFERS = Sentence(
    "{folder} on {host} is a different folder, so its files are not visible on this machine.",
    "Move the workspace to a folder that all machines mount at the same path.",
)
# target check

HOST_ANSWERS = Sentence("{host} accepts connections from {user}.")
FOLDER_SEEN = Sentence("{host} can read and write {folder}.")

name_sentences(globals(), prefix="ssh_")
