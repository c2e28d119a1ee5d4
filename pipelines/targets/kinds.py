"""Kinds of compute targets: the built-in ones, and those of installed packages.

A package adds a kind by an entry point of the group ``pipeline_designer.targets`` that names a
``TargetKind``. Modules of a kind are imported when a target of that kind is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pipelines.errors import RefusedError
from pipelines.sentences import refusals

if TYPE_CHECKING:
    from pipelines.targets.base import Target
    from pipelines.targets.settings import TargetSettings
    from pipelines.workers.fork_server_client import ForkServerPool
    from pipelines.workspace import Workspace

GROUP = "pipeline_designer.targets"

Manifest = Mapping[str, Any]
"""Object that an engine gets for a step."""


class TargetKind(NamedTuple):
    """A kind of compute target, as references ``module:name`` that are imported on first use."""

    name: str
    title: str
    """A label of one to three words."""
    settings: str
    """A subclass of ``TargetSettings``."""
    target: str
    """A function of name, settings, workspace and fork servers that returns a ``Target``."""
    manifests: str = ""
    """A function of settings and the workspace's folder that returns what the engine gets."""

    @property
    def settings_type(self) -> type[TargetSettings]:
        return cast("type[TargetSettings]", _load(self.settings))

    def make_target(
        self,
        name: str,
        settings: TargetSettings,
        workspace: Workspace,
        fork_servers: ForkServerPool | None,
    ) -> Target:
        """Return the target; those on this machine share ``fork_servers``."""
        return cast("Target", _load(self.target)(name, settings, workspace, fork_servers))

    def make_manifests(self, settings: TargetSettings, workspace: Workspace) -> list[Manifest]:
        """Return what the engine gets for a step. Raises ``RefusedError`` if it gets none."""
        if not self.manifests:
            raise RefusedError(refusals.NO_MANIFEST, kind=self.name)
        return cast("list[Manifest]", _load(self.manifests)(settings, workspace.root))


def _built_in(name: str, title: str, settings: str) -> TargetKind:
    package = f"pipelines.targets.{name}"
    return TargetKind(
        name, title, f"{package}.settings:{settings}", f"{package}.target:{name}_target"
    )


BUILT_IN = (
    _built_in("local", "Simulated machines", "LocalSettings"),
    _built_in("slurm", "Slurm cluster", "SlurmSettings"),
    _built_in("ray", "Ray cluster", "RaySettings"),
    _built_in("ssh", "Machines by SSH", "SshSettings"),
)


def target_kind(name: str) -> TargetKind:
    """Return a kind by its name. Raises ``RefusedError`` for an unknown one."""
    kind = next((kind for kind in BUILT_IN if kind.name == name), None) or _installed().get(name)
    if kind is None:
        kinds = [kind.name for kind in all_kinds()]
        raise RefusedError(refusals.NO_TARGET_KIND, kind=name, kinds=kinds)
    return kind


def all_kinds() -> tuple[TargetKind, ...]:
    """Return the built-in kinds, then those of installed packages by name."""
    installed = _installed()
    return *BUILT_IN, *(installed[name] for name in sorted(installed))


@cache
def _installed() -> Mapping[str, TargetKind]:
    """Return the kinds that entry points add; none takes the place of a built-in one."""
    built_in = {kind.name for kind in BUILT_IN}
    loaded = (_kind_of(entry) for entry in entry_points(group=GROUP))
    return {kind.name: kind for kind in loaded if kind and kind.name not in built_in}


def _kind_of(entry: EntryPoint) -> TargetKind | None:
    """Return the kind of an entry point; None if its package is broken: the others still work."""
    try:
        kind = entry.load()
    except Exception:
        return None
    return kind if isinstance(kind, TargetKind) else None


def _load(reference: str) -> Any:
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)
