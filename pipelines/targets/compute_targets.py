"""The compute targets of a workspace and what each offers now."""

from __future__ import annotations

from pipelines.store.targets import TargetStore
from pipelines.targets import target_offers
from pipelines.targets.offer import TargetOffer


class ComputeTargets(TargetStore):
    """The built-in targets and those that users added."""

    def offers(self) -> dict[str, TargetOffer]:
        """What each target offers, by name."""
        return target_offers(self.all())
