"""A workspace on the head of a simulated cluster, and a target there."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pipelines.document.document import PipelineDocument, dump_document
from pipelines.events import RunState
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests import s3, toy
from tests.cluster import probe
from tests.cluster.head_commands import HeadCommands
from tests.cluster.machines import HEAD, Machines, lacks, machines, wait_for
from tests.cluster.object_store import BUCKET, ObjectStoreOnHead
from tests.cluster.ray_cluster import BIN, RayCluster
from tests.cluster.slurm import COMMANDS, SlurmCluster
from tests.cluster.ssh import SSH_COMMANDS, SshServers

END_SECONDS = 300.0
L = TypeVar("L", bound="Lab")


class Lab:
    """The machines, and a workspace that all of them see, at a path with a space."""

    def __init__(self, around: Machines, folder: Path) -> None:
        self.machines = around
        self.commands = HeadCommands(around)
        self.workspace = Workspace.at(folder / "a workspace").make()
        self.workspace.modules_dir.mkdir()
        for module in (probe, toy):
            shutil.copy(str(module.__file__), self.workspace.modules_dir)

    def designer(self, *words: object, check: bool = True) -> Any:
        """What a command on the head answers as JSON."""
        done = self.commands.run(*words, "--json", "--workspace", self.workspace.root)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def submit(self, document: PipelineDocument, *options: str) -> str:
        path = self.workspace.root / "document.json"
        path.write_text(dump_document(document), encoding="utf-8")
        return str(self.designer("run", path, "--detach", *options)["run_id"])

    def state(self, run_id: str) -> RunState:
        return self.session.runs.store.state(run_id)

    @property
    def session(self) -> WorkspaceSession:
        if not hasattr(self, "_session"):
            self._session = WorkspaceSession(self.workspace)
        return self._session

    def finish(self, run_id: str) -> RunState:
        wait_for(lambda: self.state(run_id).is_finished, "the run to end", END_SECONDS)
        return self.state(run_id)

    def ranks(self, state: RunState, node: str = "probe") -> list[dict[str, Any]]:
        """What the ranks of a probe have seen."""
        return probe.Sightings(self.output(state, node)).ranks

    def output(self, state: RunState, node: str = "probe") -> Path:
        return self.outputs(state, node)["output"]

    def outputs(self, state: RunState, node: str) -> dict[str, Path]:
        """The folders of what a step has made, by port."""
        found = self.session.artifacts.outputs(state.steps[node])
        return {port: Path(folder) for port, folder in found.items()}

    def kill_runner(self) -> None:
        runner = json.loads(self.workspace.runner_state_path.read_text())
        self.machines.kill(HEAD, runner["pid"])

    def kill(self, name: str, program: str) -> None:
        """End what has this in its command on a machine."""
        for pid, line in self.machines.commands(name):
            if program in line:
                self.machines.kill(name, pid)

    def kill_rank(self, name: str) -> None:
        """End the rank on a machine: where no rank waits for another it may come late there."""
        wait_for(lambda: bool(self._ranks(name)), f"a rank on {name}")
        [rank] = self._ranks(name)
        self.machines.kill(name, rank)

    def _ranks(self, name: str) -> list[int]:
        """What hosts of steps on a machine have forked."""
        told = self.machines.on(name, "ps", "-wweo", "pid=,ppid=,args=").stdout
        rows = [line.split(maxsplit=2) for line in told.splitlines()]
        hosts = {pid for pid, _, command in rows if "workers.agent_host" in command}
        return [int(pid) for pid, parent, _ in rows if parent in hosts]

    def left(self, name: str) -> list[str]:
        """What of ours runs on a machine."""
        return [line for _, line in self.machines.commands(name) if "pipelines.workers" in line]

    def wait_until_empty(self, seconds: float = 30) -> None:
        """Wait until no process of ours is on the machines."""
        for name in self.machines.workers:
            wait_for(lambda: not self.left(name), f"{name} to be empty", seconds)  # noqa: B023 - called at once

    def add_target(self, name: str, kind: str, **settings: object) -> None:
        given = [f"{key}={value}" for key, value in settings.items()]
        words = [word for each in given for word in ("--set", each)]
        self.designer("target", "add", name, "--kind", kind, *words)

    def close(self) -> None:
        self.designer("runner", "stop")
        self.session.close()


class SlurmLab(Lab):
    """With Slurm on them."""

    def __init__(self, around: Machines, folder: Path) -> None:
        super().__init__(around, folder)
        self.slurm = SlurmCluster(around)
        self.slurm.start()
        settings = {"max_nodes": 2, "processes_per_node": 2, "partition": "main"}
        self.add_target("cluster", "slurm", **settings)

    def wait_until_empty(self, seconds: float = 30) -> None:
        super().wait_until_empty(seconds)
        wait_for(lambda: not self.slurm.queue(), "Slurm's queue to be empty", seconds)


class SshLab(Lab):
    """With sshd on the workers, whose Python is at a path with a space."""

    def __init__(self, around: Machines, folder: Path) -> None:
        super().__init__(around, folder)
        self.ssh = SshServers(around)
        self.ssh.start()
        (folder / "a Python").symlink_to(sys.prefix)
        python = folder / "a Python" / "bin" / Path(sys.executable).name
        self.add_target("cluster", "ssh", hosts="m1,m2", processes_per_node=2, python=python)


class RayLab(Lab):
    """With Ray on them."""

    def __init__(self, around: Machines, folder: Path) -> None:
        super().__init__(around, folder)
        self.ray = self.start_ray()
        self.add_ray("cluster", max_nodes=2, processes_per_node=2)

    def start_ray(self) -> RayCluster:
        ray = RayCluster(self.machines)
        ray.start()
        return ray

    @property
    def token(self) -> str:
        return self.ray.token_file.read_text()

    def wait_until_empty(self, seconds: float = 30) -> None:
        super().wait_until_empty(seconds)
        wait_for(lambda: not self._drivers(), "the drivers to end", seconds)

    def driver_sleeps(self) -> int:
        """How often the driver of the one step there is has waited for something."""
        [pid] = [pid for pid, line in self.machines.commands(HEAD) if "ray_driver.py" in line]
        told = self.machines.on(HEAD, "cat", f"/proc/{pid}/status").stdout
        return int(told.partition("voluntary_ctxt_switches:")[2].split()[0])

    def _drivers(self) -> list[str]:
        return [line for _, line in self.machines.commands(HEAD) if "ray_driver" in line]

    def add_ray(self, name: str, **settings: object) -> None:
        known = {"address": self.ray.address, "token_file": self.ray.token_file}
        self.add_target(name, "ray", **{**known, **settings})

    def close(self) -> None:
        super().close()
        self.ray.close()


class UnsharedRayLab(RayLab):
    """Whose workers see neither the workspace nor each other's own folders, but an S3.

    What reads an output from here reads the copy that a command on the head has brought.
    """

    def __init__(self, around: Machines, folder: Path) -> None:
        self.store = ObjectStoreOnHead(around)
        self.store.start()
        super().__init__(around, folder)
        around.environment |= self.store.environment  # of the designer: Ray has started without
        (self.workspace.root / "designer.toml").write_text(f'artifacts = "s3://{BUCKET}/prefix"\n')

    def start_ray(self) -> RayCluster:
        own = self._own_folder()
        own.mkdir(parents=True, mode=0o700)
        for name in self.machines.workers:
            for hidden in (self.workspace.root, own):
                self.machines.on(name, "mount", "-t", "tmpfs", "tmpfs", hidden)
        ray = RayCluster(self.machines, own.parent)
        ray.start()
        return ray

    def _own_folder(self) -> Path:
        """The project's own on each machine."""
        return self.machines.folder / "tmp" / f"designer-{os.getuid()}"

    def leases(self) -> set[Path]:
        """By what drivers say on the machines, which share a folder for temporary files here, that
        steps are wanted there."""
        return set(self._own_folder().parent.glob("designer-*/lease"))

    def add_ray(self, name: str, **settings: object) -> None:
        super().add_ray(name, **{"shared_folder": "none", **settings})

    def outputs(self, state: RunState, node: str) -> dict[str, Path]:
        script = (
            "import sys; from pipelines.session import WorkspaceSession as S; "
            "from pipelines.workspace import Workspace as W; s = S(W.at(sys.argv[1])); "
            "s.artifacts.artifact_folder(sys.argv[2]); s.close()"
        )
        made = str(state.steps[node].artifact_id)
        self.machines.on(HEAD, sys.executable, "-c", script, self.workspace.root, made)
        return {each.name: each for each in (self.workspace.artifacts_dir / made).iterdir()}

    def kept_on(self, name: str) -> list[str]:
        """The files of the project's own folder on a machine."""
        return self.machines.on(name, "find", self._own_folder(), "-type", "f").stdout.split("\n")


@contextmanager
def made(kind: Callable[[Machines, Path], L], *commands: str, workers: int = 2) -> Iterator[L]:
    missing = lacks(*commands, "ps")
    if missing:
        pytest.skip(f"a simulated cluster {missing}")
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        place = Path(folder)
        with machines(place, workers) as around:
            lab = kind(around, place)
            yield lab
            lab.close()


@pytest.fixture(scope="module")
def lab() -> Iterator[SlurmLab]:
    with made(SlurmLab, *COMMANDS) as lab:
        yield lab


@pytest.fixture(scope="module")
def ray_lab() -> Iterator[RayLab]:
    if not (BIN / "ray").exists():
        pytest.skip("a simulated Ray cluster needs `make .venv-ray/.installed`")
    with made(RayLab) as lab:
        yield lab


@pytest.fixture(scope="module")
def unshared_lab() -> Iterator[UnsharedRayLab]:
    if not (BIN / "ray").exists():
        pytest.skip("a simulated Ray cluster needs `make .venv-ray/.installed`")
    missing = s3.lacks()
    if missing:
        pytest.skip(missing)
    with made(UnsharedRayLab) as lab:
        yield lab


@pytest.fixture(scope="module")
def ssh_lab() -> Iterator[SshLab]:
    with made(SshLab, *SSH_COMMANDS) as lab:
        yield lab
