"""Kubernetes as a compute target, experimental: an entry point in ``pyproject.toml`` adds it."""

from __future__ import annotations

from pipelines.targets.kinds import TargetKind

KIND = TargetKind(
    name="kubernetes",
    title="Kubernetes (experimental)",
    settings="pipelines.targets.kubernetes.settings:KubernetesSettings",
    target="pipelines.targets.kubernetes.target:kubernetes_target",
    manifests="pipelines.targets.kubernetes.manifest:example_manifests",
)
