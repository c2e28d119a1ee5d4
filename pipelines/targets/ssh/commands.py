"""OpenSSH's client on this machine: non-interactive, with strict host keys."""

from __future__ import annotations

import getpass
import os
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from modules.files.json_files import JsonObject
from modules.sentences.sentence import Sentence
from pipelines.errors import RefusedError
from pipelines.sentences import ssh as say
from pipelines.targets.command_line import run_program
from pipelines.targets.machine_lack import answer_of, refusal_of
from pipelines.targets.ssh.settings import SshSettings

T = TypeVar("T")
CONNECT_TIMEOUT_SECONDS = 10
COMMAND_TIMEOUT_SECONDS = 60.0
MOST_AT_ONCE = 16
OPTIONS = {
    "BatchMode": "yes",
    "StrictHostKeyChecking": "yes",
    "ConnectTimeout": str(CONNECT_TIMEOUT_SECONDS),
    "ServerAliveInterval": "5",
    "ServerAliveCountMax": "3",
    "ClearAllForwardings": "yes",
    "LogLevel": "ERROR",
}
"""A machine that stops responding is abandoned after 15 seconds."""
SSH_FAILED = 255
NO_PROGRAM = (126, 127)
CHANGED = "IDENTIFICATION HAS CHANGED"
SIGNS: tuple[tuple[str, Sentence], ...] = (
    (CHANGED, say.HOST_KEY_CHANGED),
    ("Host key verification failed", say.HOST_KEY_UNKNOWN),
    ("Could not resolve hostname", say.HOST_UNKNOWN),
    ("Permission denied", say.KEY_REFUSED),
    ("Too many authentication failures", say.KEY_REFUSED),
    ("Connection refused", say.HOST_REFUSES),
    ("timed out", say.HOST_AWAY),
    ("not responding", say.HOST_AWAY),
    ("No route to host", say.HOST_AWAY),
    ("Network is unreachable", say.HOST_AWAY),
)
"""Messages of OpenSSH in order of precedence."""


class SshHosts:
    """Machines of a target."""

    def __init__(self, settings: SshSettings) -> None:
        self._settings = settings

    def run(
        self, host: str, command: Sequence[str], seconds: float = COMMAND_TIMEOUT_SECONDS
    ) -> str:
        """Return the output of a command on a machine.

        Raises ``RefusedError`` if it cannot be run.
        """
        try:
            done = run_program(self.command(host, command), seconds, {**os.environ, "LC_ALL": "C"})
        except FileNotFoundError:
            raise RefusedError(say.NO_SSH_CLIENT) from None
        except subprocess.TimeoutExpired:
            why = f"timeout after {seconds:g} seconds"
            raise RefusedError(say.HOST_AWAY, host=host, why=why) from None
        if done.returncode:
            raise self._refusal(host, done)
        return done.stdout

    def command(self, host: str, command: Sequence[str]) -> list[str]:
        """Return the arguments that run a command there, quoted."""
        options = [word for option in OPTIONS.items() for word in ("-o", "=".join(option))]
        user = ["-l", self._settings.user] if self._settings.user else []
        return ["ssh", "-T", "-a", "-x", *options, *user, "--", host, shlex.join(command)]

    def ask(self, host: str, *words: str) -> JsonObject:
        """Return the answer of ``agent_launch`` there.

        Raises ``RefusedError`` like ``run``, and for what the machine lacks.
        """
        program = (self._settings.python, "-m", "pipelines.workers.agent_launch")
        answer = answer_of(self.run(host, (*program, *words)))
        if answer is None:
            raise RefusedError(say.START_FAILS, host=host, why="its response cannot be read")
        return answer

    def lack(self, host: str, answer: Mapping[str, Any], folder: object) -> RefusedError | None:
        """Return the problem in a machine's answer; None if there is none."""
        return refusal_of({**answer, "host": host}, folder, self.user)

    @property
    def user(self) -> str:
        """Return the user of the login, as far as it is known here."""
        return self._settings.user or getpass.getuser()

    def _refusal(self, host: str, done: subprocess.CompletedProcess[str]) -> RefusedError:
        output = " ".join(done.stderr.split())[-300:].rstrip(".")
        login = self._settings.login(host)
        facts = {"host": host, "login": login, "user": self.user, "why": output or "no message"}
        facts["python"] = self._settings.python
        return RefusedError(_sentence(done), **facts)


def _sentence(done: subprocess.CompletedProcess[str]) -> Sentence:
    if done.returncode == SSH_FAILED:
        sentences = (sentence for sign, sentence in SIGNS if sign in done.stderr)
        return next(sentences, say.SSH_FAILS)
    if done.returncode in NO_PROGRAM:
        return say.PYTHON_ABSENT
    is_absent = "No module named 'pipelines'" in done.stderr
    return say.CODE_ABSENT if is_absent or "ModuleNotFoundError" in done.stderr else say.START_FAILS


def of_each(hosts: Sequence[str], do: Callable[[str], T]) -> dict[str, T | RefusedError]:
    """Call a function for each machine in parallel; return results or errors."""

    def attempt(host: str) -> T | RefusedError:
        try:
            return do(host)
        except RefusedError as error:
            return error

    if not hosts:
        return {}
    with ThreadPoolExecutor(min(MOST_AT_ONCE, len(hosts))) as pool:
        return dict(zip(hosts, pool.map(attempt, hosts), strict=True))
