"""How machines are asked by SSH, and what its client says where it cannot."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from modules.operating_system.process_table import IS_LINUX
from pipelines.errors import RefusedError
from pipelines.sentences import ssh as say
from pipelines.targets.engine import Job
from pipelines.targets.machine_lack import answer_of
from pipelines.targets.ssh.commands import SshHosts, of_each
from pipelines.targets.ssh.settings import SshSettings
from pipelines.targets.ssh.target import SshMachines
from pipelines.workers.agent_files import AgentFiles, Order
from pipelines.workers.step_spec import StepSpec
from tests.pipelines.targets.conftest import SPEC

HOSTS = SshHosts(SshSettings.parse({"hosts": "m1", "user": "ada", "python": "/lab/python"}))


def test_nobody_is_asked_and_no_machine_trusted_that_is_not_known() -> None:
    command = HOSTS.command("m1", ["python", "a b; touch c"])
    assert command[:1] == ["ssh"]
    for item in ("BatchMode=yes", "StrictHostKeyChecking=yes", "ConnectTimeout=10"):
        assert item in command
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
    assert [type(answer) for answer in answers.values()] == [str, RefusedError, str]


CLIENT = """\
#!/bin/sh
while [ "$1" != -- ]; do shift; done
echo "$2" >> {folder}/asked
if [ -e {folder}/"$2-is-away" ]; then
    echo "ssh: connect to host $2 port 22: Connection timed out" >&2
    exit 255
fi
[ ! -e {folder}/all-are-busy ] && is_free=true || is_free=false
echo "{{\\"is_free\\": $is_free}}"
"""


class Lab:
    """Machines that are asked by a client that writes down whom."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "bin").mkdir()
        client = folder / "bin" / "ssh"
        client.write_text(CLIENT.format(folder=folder))
        client.chmod(0o755)
        self.asked()

    def asked(self) -> list[str]:
        """Who was asked since the last call."""
        path = self.folder / "asked"
        asked = path.read_text().split() if path.exists() else []
        path.write_text("")
        return sorted(asked)

    def mark(self, name: str) -> Path:
        path = self.folder / name
        path.touch()
        return path

    def step(self, name: str, count: int = 1) -> StepSpec:
        made = replace(SPEC, node=name, node_dir=str(self.folder / name), node_count=count)
        made.write()
        AgentFiles(made.attempt_dir).create(Order({}))
        return made


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    if not IS_LINUX:
        pytest.skip("agents run on machines with Linux")
    made = Lab(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return made


def machines(count: int) -> SshMachines:
    hosts = ", ".join(f"m{number}" for number in range(count))
    return SshMachines(SshSettings.parse({"hosts": hosts}))


def test_no_more_machines_are_asked_than_a_step_needs(lab: Lab) -> None:
    target = machines(20)
    first, second = lab.step("first"), lab.step("second", 2)
    target.submit("first", first)
    assert lab.asked() == ["m0", "m0"]  # whether it is free, and to start
    target.submit("second", second)
    assert lab.asked() == ["m1", "m1", "m2", "m2"]
    assert target.jobs({"first": first, "second": second}) == dict.fromkeys(
        ("first", "second"), Job("running")
    )
    assert lab.asked() == []


def test_machines_that_are_busy_are_asked_less_and_less_often(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    now = SimpleNamespace(monotonic=lambda: clock[0])
    monkeypatch.setattr("pipelines.targets.ssh.target.time", now)
    target = machines(5)
    own = lab.step("own")
    target.submit("own", own)
    lab.mark("all-are-busy")
    steps = {"own": own, "waits": lab.step("waits")}
    target.submit("waits", steps["waits"])
    assert set(lab.asked()) == {"m0", "m1", "m2", "m3", "m4"}

    def rounds(count: int) -> int:
        for _ in range(count):
            clock[0] += 2.0
            assert target.jobs(steps)["waits"] == Job("waiting", "1 of 1 machines")
        return lab.asked().count("m1")

    assert rounds(30) == 5  # in a minute: after 2, 6, 14, 30 and 60 seconds
    assert rounds(30) == 2
    AgentFiles(own.attempt_dir).write("end-0.json", {"code": 0})
    assert rounds(1) == 1, "a machine of our own is free now"


def test_a_machine_that_is_away_keeps_no_step_waiting_that_finds_others(lab: Lab) -> None:
    away = lab.mark("m0-is-away")
    target = machines(4)
    steps = {name: lab.step(name, count) for name, count in (("a", 1), ("b", 1), ("c", 4))}
    target.submit("a", steps["a"])
    assert lab.asked() == ["m0", "m1", "m1", "m2"]
    target.submit("b", steps["b"])
    assert lab.asked() == ["m2", "m2"]
    target.submit("c", steps["c"])
    assert lab.asked() == ["m0"]
    problem = target.jobs(steps)["c"].problem
    assert problem is not None
    assert "m0 is not responding" in problem["message"]
    away.unlink()
    later = lab.step("d", 4)
    target.submit("d", later)
    assert lab.asked() == ["m0"]
    assert target.jobs({**steps, "d": later})["d"] == Job("waiting", "2 of 4 machines")


def test_a_step_that_needs_more_machines_than_the_settings_now_name_is_told_so(lab: Lab) -> None:
    steps = {"large": lab.step("large", 2), "small": lab.step("small")}
    AgentFiles(steps["large"].attempt_dir).write("machines.json", {"hosts": []})
    AgentFiles(steps["small"].attempt_dir).write("machines.json", {"hosts": []})
    target = machines(1)
    target.jobs(steps)
    states = target.jobs(steps)
    assert states["small"] == Job("running")
    assert states["large"].problem is not None
    assert "needs 2 machines, but the target has only 1" in states["large"].problem["message"]
    assert states["large"].problem["cure"]
