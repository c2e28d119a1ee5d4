"""Where steps run. A kind of target is named here and in its own file, nowhere else.

What a kind needs is imported when a target of that kind is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pipelines.errors import RefusedError
from pipelines.sentences import refusals

if TYPE_CHECKING:
    from pipelines.store.targets import TargetRecord
    from pipelines.targets.base import Target
    from pipelines.targets.offer import TargetOffer
    from pipelines.workers.fork_server_client import ForkServerPool


def target_offers(records: Iterable[TargetRecord]) -> dict[str, TargetOffer]:
    """What each target offers, by name; without those of kinds that this version does not know."""
    offers = (_offer(record) for record in records)
    return {offer.name: offer for offer in offers if offer is not None}


def _offer(record: TargetRecord) -> TargetOffer | None:
    match record.kind:
        case "local":
            from pipelines.targets.local import offer_from

            return offer_from(record.name, record.settings)
        case _:
            return None


def make_target(offer: TargetOffer, fork_servers: ForkServerPool) -> Target:
    """The target behind an offer; those on this machine share ``fork_servers``."""
    match offer.kind:
        case "local":
            from pipelines.targets.local import LocalTarget

            return LocalTarget(offer, fork_servers)
        case _:
            raise RefusedError(refusals.NO_TARGET_KIND, kind=offer.kind)
