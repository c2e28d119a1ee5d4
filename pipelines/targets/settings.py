"""What can be set of a compute target, by its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from pipelines.errors import RefusedError
from pipelines.sentences import refusals
from pipelines.targets.offer import TargetOffer


def _is_program(text: str) -> str:
    if not text or text.startswith("-") or not text.isprintable():
        raise ValueError("write the path or name of a program, without line breaks or a leading -")
    return text


Program = Annotated[str, AfterValidator(_is_program)]
"""A word of a command line that is never read as an option."""


class TargetSettings(BaseModel):
    """The base of each kind's settings: frozen, no unknown names; texts of numbers are read."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    tier: Literal["dedicated", "preemptible"] = Field(
        "dedicated", description="preemptible: machines can be removed from a running step."
    )
    price_per_hour: float | None = Field(
        None, ge=0, le=1_000_000, description="Price of one machine per hour, in any currency."
    )

    @classmethod
    def parse(cls, given: Mapping[str, Any]) -> Self:
        """Those that were given. Raises ``RefusedError`` for what cannot be set, or not so."""
        try:
            return cls.model_validate(dict(given))
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"])) or "settings"
            known = ", ".join(cls.model_fields)
            why = first["msg"].removeprefix("Value error, ")
            facts = {"setting": name, "why": why, "known": known}
            raise RefusedError(refusals.TARGET_SETTING, **facts) from None

    def offer(self, name: str) -> TargetOffer:
        """What a target of that name and these settings offers."""
        raise NotImplementedError

    def with_terms(self, offer: TargetOffer) -> TargetOffer:
        """An offer with what is set of its kind and of all others: its tier and its price."""
        is_preemptible = self.tier == "preemptible"
        return replace(offer, price_per_hour=self.price_per_hour, is_preemptible=is_preemptible)

    def to_json(self) -> dict[str, Any]:
        """Those that were set, as JSON."""
        return self.model_dump(mode="json", exclude_unset=True)
