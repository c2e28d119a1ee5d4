"""The compute targets of a workspace and what each offers now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import refusals
from pipelines.store.targets import TargetRecord, TargetStore
from pipelines.targets import make_target, manifests_of, settings_type, target_offers
from pipelines.targets.finding import Finding
from pipelines.targets.offer import TargetOffer
from pipelines.workspace import Workspace

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class ComputeTargets(TargetStore):
    """The built-in targets and those that users added."""

    def offers(self) -> dict[str, TargetOffer]:
        """What each target offers, by name."""
        return target_offers(self.all())

    def add(self, name: str, kind: str, settings: Mapping[str, Any]) -> None:
        """Add a target; one that is there already is never changed (``NameTakenError``).

        Raises ``RefusedError`` for a name, a kind or settings that cannot be.
        """
        if NAME.fullmatch(name) is None:
            raise RefusedError(refusals.NO_TARGET_NAME, text=name)
        super().add(name, kind, settings_type(kind).parse(settings).to_json())

    def record(self, name: str) -> TargetRecord:
        """The target of that name. Raises ``NotFoundError``."""
        found = next((each for each in self.all() if each.name == name), None)
        if found is None:
            raise NotFoundError(refusals.NO_TARGET, target=name)
        return found

    def manifests(self, name: str, workspace: Workspace) -> list[dict[str, Any]]:
        """What an engine is given for a step that takes all that a target offers.

        Raises ``NotFoundError``, and ``RefusedError`` for a kind that is given none.
        """
        return manifests_of(self.record(name), workspace)

    def check(self, name: str, workspace: Workspace) -> Iterator[Finding]:
        """Try a target: what is found, one after the other. Raises ``NotFoundError``."""
        yield from make_target(self.record(name), workspace).check()
