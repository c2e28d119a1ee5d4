"""Where steps run. A kind of target is named here and in its own files, nowhere else.

What a kind needs is imported when a target of that kind is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pipelines.errors import RefusedError
from pipelines.sentences import refusals

if TYPE_CHECKING:
    from pipelines.store.targets import TargetRecord
    from pipelines.targets.base import Target
    from pipelines.targets.offer import TargetOffer
    from pipelines.targets.settings import TargetSettings
    from pipelines.workers.fork_server_client import ForkServerPool
    from pipelines.workspace import Workspace

KINDS = ("local", "slurm", "ray", "kubernetes", "ssh")


def settings_type(kind: str) -> type[TargetSettings]:
    """What can be set of targets of a kind. Raises ``RefusedError`` for an unknown one."""
    match kind:
        case "local":
            from pipelines.targets.local import LocalSettings

            return LocalSettings
        case "slurm":
            from pipelines.targets.slurm_settings import SlurmSettings

            return SlurmSettings
        case "ray":
            from pipelines.targets.ray_settings import RaySettings

            return RaySettings
        case "kubernetes":
            from pipelines.targets.kubernetes_settings import KubernetesSettings

            return KubernetesSettings
        case "ssh":
            from pipelines.targets.ssh_settings import SshSettings

            return SshSettings
        case _:
            raise RefusedError(refusals.NO_TARGET_KIND, kind=kind, kinds=KINDS)


def target_offers(records: Iterable[TargetRecord]) -> dict[str, TargetOffer]:
    """What each target offers, by name; without those that this version does not know how to
    read."""
    offers: dict[str, TargetOffer] = {}
    for record in records:
        with suppress(RefusedError):
            settings = settings_type(record.kind).parse(record.settings)
            offers[record.name] = settings.with_terms(settings.offer(record.name))
    return offers


def make_target(
    record: TargetRecord, workspace: Workspace, fork_servers: ForkServerPool | None = None
) -> Target:
    """The target of a record; those on this machine share ``fork_servers``.

    Without them it is there to be checked. Raises ``RefusedError`` for what it cannot be made of.
    """
    settings = settings_type(record.kind).parse(record.settings)
    target = _target(record, settings, workspace, fork_servers)
    target.offer = settings.with_terms(target.offer)
    return target


def _target(
    record: TargetRecord,
    settings: TargetSettings,
    workspace: Workspace,
    fork_servers: ForkServerPool | None,
) -> Target:
    match record.kind:
        case "slurm":
            from pipelines.targets.slurm import slurm_target

            return slurm_target(record.name, settings, workspace)
        case "ray":
            from pipelines.targets.ray import ray_target

            return ray_target(record.name, settings, workspace)
        case "kubernetes":
            from pipelines.targets.kubernetes import kubernetes_target

            return kubernetes_target(record.name, settings, workspace)
        case "ssh":
            from pipelines.targets.ssh import ssh_target

            return ssh_target(record.name, settings, workspace)
        case _:
            from pipelines.targets.local import LocalTarget

            return LocalTarget(settings.offer(record.name), fork_servers)


def manifests_of(record: TargetRecord, workspace: Workspace) -> list[dict[str, Any]]:
    """What an engine is given for a step at a target. Raises ``RefusedError`` for other kinds."""
    if record.kind != "kubernetes":
        raise RefusedError(refusals.NO_MANIFEST, kind=record.kind)
    from pipelines.targets.kubernetes_manifest import example_manifests
    from pipelines.targets.kubernetes_settings import KubernetesSettings

    return example_manifests(KubernetesSettings.parse(record.settings), workspace.root)
