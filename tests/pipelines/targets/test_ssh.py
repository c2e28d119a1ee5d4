"""How machines are asked by SSH, and what its client says where it cannot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.errors import RefusedError
from pipelines.sentences import ssh as say
from pipelines.targets.machine_lack import answer_of
from pipelines.targets.ssh_commands import SshHosts, of_each
from pipelines.targets.ssh_settings import SshSettings

HOSTS = SshHosts(SshSettings.parse({"hosts": "m1", "user": "ada", "python": "/lab/python"}))


def test_nobody_is_asked_and_no_machine_trusted_that_is_not_known() -> None:
    command = HOSTS.command("m1", ["python", "a b; touch c"])
    assert command[:1] == ["ssh"]
    for each in ("BatchMode=yes", "StrictHostKeyChecking=yes", "ConnectTimeout=10"):
        assert each in command
    assert command[-5:] == ["-l", "ada", "--", "m1", "python 'a b; touch c'"]


@pytest.mark.parametrize(
    ("code", "said", "reason"),
    [
        (255, "ssh: Could not resolve hostname m1: Name or service not known", "host_unknown"),
        (255, "ssh: connect to host m1 port 22: Connection refused", "host_refuses"),
        (255, "ssh: connect to host m1 port 22: Connection timed out", "host_away"),
        (255, "ssh: connect to host m1 port 22: No route to host", "host_away"),
        (255, "Timeout, server m1 not responding.", "host_away"),
        (255, "ada@m1: Permission denied (publickey).", "key_refused"),
        (255, "No ED25519 host key is known\nHost key verification failed.", "host_key_unknown"),
        (
            255,
            "WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!\nHost key verification failed.",
            "host_key_changed",
        ),
        (255, "kex_exchange_identification: read: reset", "fails"),
        (127, "sh: 1: /lab/python: not found", "python_absent"),
        (126, "sh: 1: /lab/python: Permission denied", "python_absent"),
        (1, "/lab/python: Error while finding ... No module named 'pipelines'", "code_absent"),
        (1, "OSError: something else", "start_fails"),
    ],
)
def test_what_goes_wrong_is_a_sentence_with_its_cure(code: int, said: str, reason: str) -> None:
    done = subprocess.CompletedProcess[str]([], code, "", said)
    error = HOSTS._refusal("m1", done)
    assert error.reason == f"ssh_{reason}"
    assert "m1" in error.message
    assert error.cure


def test_a_client_that_is_not_there_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RefusedError) as refused:
        HOSTS.run("m1", ["true"])
    assert refused.value.reason == "no_ssh_client"


def test_what_a_login_prints_is_no_answer() -> None:
    assert answer_of('Welcome\n{"is_free": true}\nbye\n') == {"is_free": True}
    assert answer_of("Welcome\n[1]\n") is None


def test_a_machine_that_fails_keeps_no_other_waiting() -> None:
    def ask(host: str) -> str:
        if host == "m2":
            raise RefusedError(say.NO_SSH_CLIENT)
        return sys.executable

    answers = of_each(["m1", "m2", "m3"], ask)
    assert [type(each) for each in answers.values()] == [str, RefusedError, str]
