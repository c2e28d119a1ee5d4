"""The commands of the pages about clusters, as written there except for names and sizes."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from PIL import Image

from pipelines.workspace import Workspace
from tests import postgresql, s3
from tests.cluster.conftest import Lab, RayLab, SlurmLab, SshLab, UnsharedRayLab
from tests.cluster.machines import HEAD
from tests.cluster.object_store import BUCKET
from tests.cluster.ray_cluster import BIN as RAY_BIN
from tests.project.source import ROOT

pytestmark = pytest.mark.full
BIN = Path(sys.executable).parent
ON_CLUSTERS = {
    "partition=gpu --set gres=gpu:4": "partition=main",
    "partition=spot": "partition=main",
    "time_limit=8:00:00": "time_limit=0:30:00",
    "--set gpus_per_process=1": "",
    "max_nodes=8": "max_nodes=2",
    "max_nodes=4": "max_nodes=2",
    "processes_per_node=4": "processes_per_node=2",
    "hosts=gpu1,gpu2": "hosts=m1,m2",
    "s3://BUCKET/PREFIX": f"s3://{BUCKET}/prefix",
    ">> workspace/designer.toml": '>> "$DESIGNER_WORKSPACE/designer.toml"',
}
"""What the simulated machines have in the place of what the document's have."""


def commands(page: str) -> list[str]:
    """Those in the shell blocks of ``guide``, before its first heading, or of ``guide#heading``."""
    guide, _, heading = page.partition("#")
    text = (ROOT / "docs" / "how-to" / f"{guide}.md").read_text(encoding="utf-8")
    first, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    part = next(part for part in parts if part.startswith(f"{heading}\n")) if heading else first
    blocks = re.findall(r"^```sh\n(.*?)^```", part, flags=re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    found = [line for line in lines if not line.startswith("pip install")]  # it is installed
    assert found, page
    return found


def line_of(command: str, variables: Mapping[str, object], changes: Mapping[str, str]) -> str:
    """What a shell is given."""
    for written, meant in changes.items():
        command = command.replace(written, meant)
    exports = (f"export {name}={shlex.quote(str(value))}" for name, value in variables.items())
    return "; ".join((*exports, command))


def type_on(lab: Lab, page: str, *before: Path, **more: object) -> None:
    """Type the commands on the head; each must succeed."""
    path = ":".join(map(str, (BIN, *before, lab.machines.environment["PATH"])))
    variables = {"PATH": path, "DESIGNER_WORKSPACE": lab.workspace.root, **more}
    changes = dict(ON_CLUSTERS)
    if isinstance(lab, RayLab):
        changes["http://ray.example.org:8265"] = lab.ray.address
    for command in commands(page):
        line = f"cd {shlex.quote(str(ROOT))}; {line_of(command, variables, changes)}"
        done = lab.machines.on(HEAD, "sh", "-c", line, check=False, seconds=900)
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"


def of_ray(lab: RayLab) -> dict[str, object]:
    """What a user of the cluster has."""
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": lab.ray.token_file}
    return {"HOME": lab.machines.folder, **token}


def test_slurm(lab: SlurmLab) -> None:
    lab.designer("target", "remove", "cluster")
    type_on(lab, "slurm")
    type_on(lab, "clusters#Prices and preemptible machines")


def test_machines_by_ssh(ssh_lab: SshLab) -> None:
    type_on(ssh_lab, "ssh")


def test_ray(ray_lab: RayLab) -> None:
    type_on(ray_lab, "ray", RAY_BIN, **of_ray(ray_lab))


def test_ray_without_a_shared_folder(unshared_lab: UnsharedRayLab) -> None:
    (unshared_lab.workspace.root / "designer.toml").unlink()
    shutil.copy(unshared_lab.ray.token_file, unshared_lab.machines.folder / ".ray-token")
    type_on(unshared_lab, "ray#Ray without a shared folder", **of_ray(unshared_lab))


def type_here(
    page: str,
    variables: Mapping[str, object],
    changes: Mapping[str, str],
    but: tuple[str, ...] = (),
) -> None:
    """Type the commands on this machine but some; each must succeed."""
    for command in commands(page):
        if but and command.startswith(but):
            continue
        done = subprocess.run(
            ["sh", "-c", line_of(command, variables, changes)],
            input="secret\nsecret\n",  # where a password is asked for
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """One that has a run in it."""
    made = Workspace.at(tmp_path / "workspace").make()
    pipeline = str(ROOT / "pipelines" / "lessons" / "library" / "01-digits.json")
    words = ("designer", "run", pipeline, "--to", "split", "--workspace", str(made.root))
    subprocess.run([BIN / words[0], *words[1:]], check=True, capture_output=True)
    subprocess.run([BIN / "designer", "runner", "stop", *words[-2:]], check=True)
    return made


def test_kubernetes_manifest(workspace: Workspace) -> None:
    path = f"{BIN}:{os.environ['PATH']}"
    variables = {"PATH": path, "DESIGNER_WORKSPACE": workspace.root}
    needs_a_cluster = ("designer target check", "designer run")
    changes = {"namespace=team": "namespace=team --set user=1000"}  # pods are never root
    type_here("kubernetes", variables, changes, but=needs_a_cluster)


def test_postgresql(workspace: Workspace) -> None:
    missing = postgresql.lacks()
    if missing:
        pytest.skip(missing)
    with postgresql.running() as server:
        programs = postgresql.programs()
        variables = {
            "PATH": f"{BIN}:{programs}:{os.environ['PATH']}",
            "DESIGNER_WORKSPACE": workspace.root,
            "PGHOST": server.folder,
            "PGUSER": "designer",  # who made this server; the document's is named otherwise here
        }
        changes = {"pwprompt designer": "pwprompt owner", "owner designer": "owner owner"}
        address = server.address("designer").replace("designer:geheim", "owner:secret")
        (workspace.root / "designer.toml").write_text(f'database = "{address}"\n')
        type_here("postgresql", variables, changes)


def test_an_object_store(workspace: Workspace, s3_port: int) -> None:
    bucket = s3.new_bucket(s3_port)
    (workspace.root / "designer.toml").write_text(f'artifacts = "s3://{bucket}/prefix"\n')
    variables = {
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "DESIGNER_WORKSPACE": workspace.root,
        **s3.environment(s3_port),
    }
    type_here("object-store", variables, {})
    pictures = workspace.root.parent / "pictures"
    for name in ("one", "two"):
        (pictures / name).mkdir(parents=True)
        Image.new("RGB", (8, 8)).save(pictures / name / "a.png")
    changes = {
        "/data/imagenet": str(pictures),
        "/shared/imagenet-shards": str(workspace.root.parent / "shards"),
        "s3://BUCKET": f"s3://{bucket}",
    }
    type_here("shards", variables, changes)
    type_here("shards#Shards in an object store", variables, changes)
