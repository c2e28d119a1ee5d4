"""Settings of compute targets, by kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from pipelines.document.target_offer import TargetOffer
from pipelines.errors import RefusedError
from pipelines.sentences import refusals


def _is_program(text: str) -> str:
    if not text or text.startswith("-") or not text.isprintable():
        raise ValueError("write the path or name of a program, without line breaks or a leading -")
    return text


Program = Annotated[str, AfterValidator(_is_program)]
"""Word of a command line that cannot be read as an option."""


class TargetSettings(BaseModel):
    """Base of each kind's settings: frozen, no unknown names; numbers are parsed from text."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    tier: Literal["dedicated", "preemptible"] = Field(
        "dedicated", description="preemptible: machines can be removed from a running step."
    )
    price_per_hour: float | None = Field(
        None, ge=0, le=1_000_000, description="Price of one machine per hour, in any currency."
    )

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> Self:
        """Return the parsed settings.

        Raises ``RefusedError`` for unknown names and invalid values.
        """
        try:
            return cls.model_validate(dict(values))
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"])) or "settings"
            names = ", ".join(cls.model_fields)
            why = first["msg"].removeprefix("Value error, ")
            facts = {"setting": name, "why": why, "known": names}
            raise RefusedError(refusals.TARGET_SETTING, **facts) from None

    def offer(self, name: str) -> TargetOffer:
        """Return the offer of a target with that name and these settings."""
        raise NotImplementedError

    def with_terms(self, offer: TargetOffer) -> TargetOffer:
        """Return an offer with the settings that all kinds share: tier and price."""
        is_preemptible = self.tier == "preemptible"
        return replace(offer, price_per_hour=self.price_per_hour, is_preemptible=is_preemptible)
