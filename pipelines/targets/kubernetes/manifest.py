"""Manifests of a step: an Indexed Job, one pod per machine, and a headless Service for names.

The Job owns the Service. Pods run as a non-root user without the rights of a service account; all
they know of the step is in the folder that they mount.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pipelines.errors import RefusedError
from pipelines.sentences import kubernetes as say
from pipelines.targets.kubernetes.api import KubernetesObject
from pipelines.targets.kubernetes.settings import KubernetesSettings

MOST_LETTERS = 52
"""Limit of a job's name: a pod's host name adds ``-9999`` and has at most 63 letters."""
RETENTION_SECONDS = 86_400
"""Time that Kubernetes keeps an ended job."""
TERMINATION_GRACE_SECONDS = 15
"""An agent gives its host ten seconds to end."""
RANK = "JOB_COMPLETION_INDEX"
STEP = "pipeline-designer/step"
WORKSPACE = "pipeline-designer/workspace"


@dataclass(frozen=True)
class Pods:
    """Pods of a job: ``count`` copies."""

    count: int
    command: Sequence[str]
    resources: Mapping[str, str]
    folder: Path
    """Mount path of the claim."""
    workspace: Path
    seconds: int = 0
    """Limit after which a pod is ended, without time in the queue; 0: none."""


def object_name(name: str) -> str:
    """Return a job's name in Kubernetes' form."""
    if len(name) <= MOST_LETTERS:
        return name
    return f"{name[: MOST_LETTERS - 9].rstrip('-')}-{sha256(name.encode()).hexdigest()[:8]}"


def workspace_label(workspace: Path) -> str:
    """Return the label that the jobs of a workspace share."""
    return sha256(str(workspace).encode()).hexdigest()[:16]


def job_manifest(settings: KubernetesSettings, name: str, pods: Pods) -> KubernetesObject:
    """Return the Job. Raises ``RefusedError`` if its pods would run as root."""
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
            "ttlSecondsAfterFinished": RETENTION_SECONDS,
            **({"suspend": True} if queue else {}),  # Kueue starts all of its pods or none
            "template": {"metadata": {"labels": labels}, "spec": _pod(settings, name, pods)},
        },
    }


def service_manifest(name: str, pods: Pods) -> KubernetesObject:
    """Return the headless Service of a job."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "labels": _labels(name, pods)},
        "spec": {"clusterIP": "None", "publishNotReadyAddresses": True, "selector": {STEP: name}},
    }


def example_manifests(settings: KubernetesSettings, workspace: Path) -> list[KubernetesObject]:
    """Return the manifests of a step that uses the target's whole offer."""
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
    namespace = {"namespace": settings.namespace}
    both = (job, service_manifest(name, pods))
    return [{**manifest, "metadata": {**manifest["metadata"], **namespace}} for manifest in both]


def agent_command(spec_path: Path) -> tuple[str, ...]:
    """Return Python's arguments in each pod."""
    return ("-m", "pipelines.workers.agent", str(spec_path), "--rank-from", RANK)


def mounted_at(settings: KubernetesSettings, workspace: Path) -> Path:
    """Return the mount path of the claim: its path on this machine."""
    return Path(settings.shared_folder) if settings.shared_folder else workspace


def facts_of(settings: KubernetesSettings, workspace: Path) -> dict[str, object]:
    """Return the facts about a target for messages."""
    return {**settings.model_dump(), "folder": mounted_at(settings, workspace)}


def _labels(name: str, pods: Pods) -> dict[str, str]:
    return {
        "app.kubernetes.io/managed-by": "pipeline-designer",
        WORKSPACE: workspace_label(pods.workspace),
        STEP: name,
    }


def _pod(settings: KubernetesSettings, name: str, pods: Pods) -> KubernetesObject:
    spread = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname"}
    selected = {"labelSelector": {"matchLabels": {STEP: name}}}
    secret, selection = settings.pull_secret, settings.selection
    return {
        "restartPolicy": "Never",
        "subdomain": name,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": TERMINATION_GRACE_SECONDS,
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


def _container(settings: KubernetesSettings, pods: Pods) -> KubernetesObject:
    has_gpus = settings.gpu_resource in pods.resources
    base = {"HOME": "/tmp", "USER": "designer"}  # the user may be unknown to the image
    variables = base if has_gpus else {**base, "CUDA_VISIBLE_DEVICES": ""}
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


def _user(settings: KubernetesSettings) -> KubernetesObject:
    """Return the user of the processes: the designer's user must be able to read their files."""
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
