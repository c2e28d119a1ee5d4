"""Compute targets of a workspace and their current offers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from pipelines.document.target_offer import TargetOffer
from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import refusals
from pipelines.store.database.targets import TargetRecord, TargetStore
from pipelines.targets.base import Target
from pipelines.targets.finding import Finding
from pipelines.targets.kinds import Manifest, target_kind
from pipelines.workers.fork_server_client import ForkServerPool
from pipelines.workspace import Workspace

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class ComputeTargets(TargetStore):
    """Built-in targets and those that users added."""

    def offers(self) -> dict[str, TargetOffer]:
        """Return the offers by target; without targets of unknown kinds or settings."""
        offers: dict[str, TargetOffer] = {}
        for record in self.all():
            # of a newer version, or of a package that is not installed
            with suppress(RefusedError):
                settings = target_kind(record.kind).settings_type.parse(record.settings)
                offers[record.name] = settings.with_terms(settings.offer(record.name))
        return offers

    def add(self, name: str, kind: str, settings: Mapping[str, Any]) -> None:
        """Add a target; an existing one is never changed (``NameTakenError``).

        Raises ``RefusedError`` for an invalid name, kind or setting.
        """
        if NAME.fullmatch(name) is None:
            raise RefusedError(refusals.NO_TARGET_NAME, text=name)
        parsed = target_kind(kind).settings_type.parse(settings)
        super().add(name, kind, parsed.model_dump(mode="json", exclude_unset=True))

    def record(self, name: str) -> TargetRecord:
        """Return the target of that name. Raises ``NotFoundError``."""
        record = next((record for record in self.all() if record.name == name), None)
        if record is None:
            raise NotFoundError(refusals.NO_TARGET, target=name)
        return record

    def manifests(self, name: str, workspace: Workspace) -> list[Manifest]:
        """Return what an engine is given for a step that uses the whole offer.

        Raises ``NotFoundError``, and ``RefusedError`` for a kind without manifests.
        """
        record = self.record(name)
        kind = target_kind(record.kind)
        return kind.make_manifests(kind.settings_type.parse(record.settings), workspace)

    def check(self, name: str, workspace: Workspace) -> Iterator[Finding]:
        """Check a target: yield its findings. Raises ``NotFoundError``."""
        yield from make_target(self.record(name), workspace).check()


def make_target(
    record: TargetRecord, workspace: Workspace, fork_servers: ForkServerPool | None = None
) -> Target:
    """Return the target of a record; those on this machine share ``fork_servers``.

    Without them it can only be checked. Raises ``RefusedError`` for an unknown kind or setting.
    """
    kind = target_kind(record.kind)
    settings = kind.settings_type.parse(record.settings)
    target = kind.make_target(record.name, settings, workspace, fork_servers)
    target.offer = settings.with_terms(target.offer)
    return target
