"""Trying a Kubernetes cluster that is simulated, and the client that it is asked by."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from modules.operating_system.process_table import IS_LINUX
from pipelines.errors import RefusedError
from pipelines.targets.engine import AccessRefusedError
from pipelines.targets.finding import Finding
from pipelines.targets.kinds import target_kind
from pipelines.targets.kubernetes import check as kubernetes_check
from pipelines.targets.kubernetes.api import KubernetesApi
from pipelines.targets.kubernetes.settings import KubernetesSettings
from pipelines.targets.kubernetes.target import kubernetes_target
from pipelines.workspace import Workspace
from tests.pipelines.targets.kubernetes_cluster import (
    CORE,
    JOBS,
    QUEUES,
    TOKEN,
    Cluster,
    container,
    refusal,
    settings_of,
)

pytest.importorskip("kubernetes", reason="needs the extra kubernetes")
pytestmark = pytest.mark.skipif(not IS_LINUX, reason="agents run on machines with Linux")


ANONYMOUS = 'jobs.batch is forbidden: User "system:anonymous" cannot list resource "jobs"'


def findings_in(cluster: Cluster, tmp_path: Path, **more: Any) -> list[Finding]:
    workspace = Workspace(tmp_path / "workspace").make()
    return list(kubernetes_target("pods", settings_of(cluster, **more), workspace).check())


def test_a_check_tries_every_part_and_leaves_nothing(cluster: Cluster, tmp_path: Path) -> None:
    cluster.objects[f"{QUEUES}/team-a"] = {}
    findings = findings_in(cluster, tmp_path)
    names = [finding.name for finding in findings]
    assert names == ["reachable", "rights", "claim", "machines", "shared folder", "versions"]
    assert all(finding.ok for finding in findings), findings
    assert cluster.jobs() == []
    assert list((tmp_path / "workspace" / "cache").iterdir()) == []


@pytest.mark.full  # as on Slurm and SSH
@pytest.mark.extended
def test_two_pods_sum_numbers_together(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # both load torch, on few cores
    monkeypatch.setattr(kubernetes_check, "TRIAL_TIMEOUT_SECONDS", 500.0)
    findings = findings_in(cluster, tmp_path, max_nodes=4)
    names = [finding.name for finding in findings]
    of_pods = ["machines", "shared folder", "versions", "versions", "sum"]
    assert names == ["reachable", "rights", "claim", *of_pods]
    assert all(finding.ok for finding in findings), findings
    assert "MB at " in findings[-1].message
    posted = [path for method, path in cluster.asked if method == "POST"]
    assert posted == [f"{CORE}/services", JOBS], "one job of two pods, with their service"
    assert cluster.jobs() == []


@pytest.mark.parametrize(
    ("change", "more", "name", "words"),
    [
        ({"answer": refusal(403, ANONYMOUS)}, {}, "reachable", "rejected the credentials"),
        ({"token": "another"}, {}, "reachable", "rejected the credentials"),
        ({"answer": refusal(503, "etcd has no leader")}, {}, "reachable", "etcd has no leader"),
        ({"objects": {}}, {}, "claim", "claim 'workspace' not found"),
        ({}, {"queue": "team-b"}, "queue", "Kueue is not installed"),
        (
            {"objects": {f"{QUEUES}/a": {}}},
            {"queue": "team-b"},
            "queue",
            "LocalQueue 'team-b' not found",
        ),
        ({"status": container("waiting", reason="InvalidImageName")}, {}, "job", "cannot start"),
        ({}, {"context": "elsewhere"}, "reachable", "name elsewhere"),
        ({}, {"kubeconfig": "/nowhere/config"}, "reachable", "kubeconfig cannot be used"),
    ],
)
def test_what_a_check_finds_has_a_cure(
    cluster: Cluster, tmp_path: Path, change: dict[str, Any], more: Any, name: str, words: str
) -> None:
    for key, value in change.items():
        setattr(cluster, key, {**cluster.objects, **value} if key == "objects" and value else value)
    finding = findings_in(cluster, tmp_path, **more)[-1]
    assert (finding.name, finding.ok) == (name, False)
    assert words in finding.message
    assert finding.cure
    assert cluster.jobs() == []


def test_a_pod_that_ends_at_once_is_told_with_what_it_printed_last(
    cluster: Cluster, tmp_path: Path
) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho Illegal instruction >&2\nexit 3\n")
    python.chmod(0o755)
    finding = findings_in(cluster, tmp_path, python=str(python))[-1]
    assert (finding.name, finding.ok) == ("job", False)
    assert "a pod ended with status 3: Illegal instruction" in finding.message
    assert finding.cure
    assert cluster.jobs() == []


def test_several_pods_need_a_claim_that_several_nodes_mount(
    cluster: Cluster, tmp_path: Path
) -> None:
    one = {"spec": {"accessModes": ["ReadWriteOnce"]}}
    cluster.objects[f"{CORE}/persistentvolumeclaims/workspace"] = one
    finding = findings_in(cluster, tmp_path, max_nodes=2)[-1]
    assert (finding.name, finding.ok) == ("claim", False)
    assert "(ReadWriteOnce)" in finding.message


@pytest.mark.parametrize("text", ["a: [", "just words", "users: {token: %s : }", "{users: [%s]}"])
def test_a_broken_kubeconfig_is_told_without_what_it_holds(cluster: Cluster, text: str) -> None:
    cluster.kubeconfig.write_text(text.replace("%s", TOKEN))
    with pytest.raises(RefusedError) as refused:
        KubernetesApi(settings_of(cluster)).version()
    assert "kubeconfig cannot be used" in refused.value.message
    assert TOKEN not in f"{refused.value} {refused.value.facts}"


# the client


def test_credentials_that_were_renewed_meanwhile_are_read_again(cluster: Cluster) -> None:
    api = KubernetesApi(settings_of(cluster))
    api.version()
    cluster.token = "another"
    with pytest.raises(AccessRefusedError) as refused:
        api.version()
    assert "have expired" in refused.value.message
    cluster.kubeconfig.write_text(cluster.kubeconfig.read_text().replace(TOKEN, "another"))
    api.version()
    cluster.token = "a third"
    cluster.kubeconfig.write_text(cluster.kubeconfig.read_text().replace("another", "a third"))
    api.version()


def test_the_client_is_imported_only_when_a_cluster_is_asked() -> None:
    known = json.dumps({"image": "designer:1", "claim": "workspace"})
    script = (
        "import sys, json; import designer_app.command, designer_app.server, "
        "pipelines.execution.runner; from pathlib import Path; "
        "from pipelines.targets.kubernetes.target import Kubernetes; "
        "from pipelines.targets.kinds import target_kind; "
        f"Kubernetes(target_kind('kubernetes').settings_type.parse({known}), Path('x')); "
        "sys.exit('kubernetes' if 'kubernetes' in sys.modules else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr.strip() == ""


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    values = {"image": "designer:1", "claim": "workspace"}
    settings = target_kind("kubernetes").settings_type.parse(values)
    assert isinstance(settings, KubernetesSettings)
    with pytest.raises(RefusedError) as refused:
        KubernetesApi(settings).version()
    assert "pip install kubernetes" in refused.value.cure
