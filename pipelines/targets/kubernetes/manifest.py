"""What Kubernetes is given for a step: an Indexed Job of one pod a machine, and a headless Service
by which the pods know each other's names.

The Service belongs to the Job and goes with it. Pods run as a user that is not root, without the
rights of a service account; all that they know of the step lies in the folder that they mount.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pipelines.errors import RefusedError
from pipelines.sentences import kubernetes as say
from pipelines.targets.kubernetes.settings import KubernetesSettings

MOST_LETTERS = 52
"""Of a job's name: a pod's host name is that with ``-9999`` behind it, of at most 63."""
KEPT_SECONDS = 86_400
"""For how long Kubernetes keeps a job that has ended."""
END_SECONDS = 15
"""An agent leaves its host ten seconds to end."""
RANK = "JOB_COMPLETION_INDEX"
STEP = "pipeline-designer/step"
WORKSPACE = "pipeline-designer/workspace"


@dataclass(frozen=True)
class Pods:
    """What is to run: ``count`` times the same."""

    count: int
    command: Sequence[str]
    resources: Mapping[str, str]
    folder: Path
    """Where all of them mount the claim."""
    workspace: Path
    seconds: int = 0
    """After which a pod is ended, the time in the queue not counted; 0: it is not."""


def object_name(name: str) -> str:
    """A job's name as Kubernetes takes it."""
    if len(name) <= MOST_LETTERS:
        return name
    return f"{name[: MOST_LETTERS - 9].rstrip('-')}-{sha256(name.encode()).hexdigest()[:8]}"


def workspace_label(workspace: Path) -> str:
    """What the jobs of a workspace have in common."""
    return sha256(str(workspace).encode()).hexdigest()[:16]


def job_manifest(settings: KubernetesSettings, name: str, pods: Pods) -> dict[str, Any]:
    """The Job. Raises ``RefusedError`` where its pods would be root's."""
    labels = _labels(name, pods)
    queue = {"kueue.x-k8s.io/queue-name": settings.queue} if settings.queue else {}
    on_failure = {"action": "FailJob", "onExitCodes": {"operator": "NotIn", "values": [0]}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "labels": {**labels, **queue}},
        "spec": {
            "completionMode": "Indexed",
            "completions": pods.count,
            "parallelism": pods.count,
            "backoffLimit": 0,
            "podFailurePolicy": {"rules": [on_failure]},
            "ttlSecondsAfterFinished": KEPT_SECONDS,
            **({"suspend": True} if queue else {}),  # Kueue starts it, whole or not at all
            "template": {"metadata": {"labels": labels}, "spec": _pod(settings, name, pods)},
        },
    }


def service_manifest(name: str, pods: Pods) -> dict[str, Any]:
    """The headless Service of a job."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "labels": _labels(name, pods)},
        "spec": {"clusterIP": "None", "publishNotReadyAddresses": True, "selector": {STEP: name}},
    }


def example_manifests(settings: KubernetesSettings, workspace: Path) -> list[dict[str, Any]]:
    """What Kubernetes is given for a step that takes all that the target offers."""
    name, processes = "designer-example", settings.processes_per_node
    spec_path = workspace / "runs" / "RUN" / "NODE" / "attempt-1" / "step.json"
    pods = Pods(
        count=settings.max_nodes,
        command=agent_command(spec_path),
        resources=settings.resources(processes),
        folder=mounted_at(settings, workspace),
        workspace=workspace,
    )
    job = job_manifest(settings, name, pods)
    place = {"namespace": settings.namespace}
    both = (job, service_manifest(name, pods))
    return [{**each, "metadata": {**each["metadata"], **place}} for each in both]


def agent_command(spec_path: Path) -> tuple[str, ...]:
    """What Python is to run in each pod."""
    return ("-m", "pipelines.workers.agent", str(spec_path), "--rank-from", RANK)


def mounted_at(settings: KubernetesSettings, workspace: Path) -> Path:
    """Where pods have the claim: where it lies here."""
    return Path(settings.shared_folder) if settings.shared_folder else workspace


def facts_of(settings: KubernetesSettings, workspace: Path) -> dict[str, Any]:
    """What sentences say of a target."""
    return {**settings.model_dump(), "folder": mounted_at(settings, workspace)}


def _labels(name: str, pods: Pods) -> dict[str, str]:
    return {
        "app.kubernetes.io/managed-by": "pipeline-designer",
        WORKSPACE: workspace_label(pods.workspace),
        STEP: name,
    }


def _pod(settings: KubernetesSettings, name: str, pods: Pods) -> dict[str, Any]:
    spread = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname"}
    selected = {"labelSelector": {"matchLabels": {STEP: name}}}
    secret, selection = settings.pull_secret, settings.selection
    return {
        "restartPolicy": "Never",
        "subdomain": name,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": END_SECONDS,
        **({"activeDeadlineSeconds": pods.seconds} if pods.seconds else {}),
        **({"imagePullSecrets": [{"name": secret}]} if secret else {}),
        **({"nodeSelector": selection} if selection else {}),
        "securityContext": _user(settings),
        "topologySpreadConstraints": [
            {**spread, "whenUnsatisfiable": "ScheduleAnyway", **selected}
        ],
        "containers": [_container(settings, pods)],
        "volumes": [
            {"name": "workspace", "persistentVolumeClaim": {"claimName": settings.claim}},
            {"name": "shared-memory", "emptyDir": {"medium": "Memory"}},
        ],
    }


def _container(settings: KubernetesSettings, pods: Pods) -> dict[str, Any]:
    has_gpus = settings.gpu_resource in pods.resources
    given = {"HOME": "/tmp", "USER": "designer"}  # the user need not be known to the image
    variables = given if has_gpus else {**given, "CUDA_VISIBLE_DEVICES": ""}
    return {
        "name": "agent",
        "image": settings.image,
        "command": [settings.python, *pods.command],
        "env": [{"name": key, "value": value} for key, value in variables.items()],
        "resources": {"requests": dict(pods.resources), "limits": dict(pods.resources)},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [
            {"name": "workspace", "mountPath": str(pods.folder)},
            {"name": "shared-memory", "mountPath": "/dev/shm"},
        ],
    }


def _user(settings: KubernetesSettings) -> dict[str, Any]:
    """Whose the processes are: who runs the designer has to read what they write."""
    own = os.getuid() if hasattr(os, "getuid") else 0
    user = settings.user or own
    if user == 0:
        raise RefusedError(say.AS_ROOT)
    group = os.getgid() if user == own else 0
    return {
        "runAsNonRoot": True,
        "runAsUser": user,
        **({"runAsGroup": group} if group else {}),
    }
