"""Requests about results of runs."""

from __future__ import annotations

from pydantic import Field

from modules.json_model import JsonModel
from pipelines.runs.headline import HeadlineChoice


class HeadlineSetting(JsonModel):
    """Primary metric of a pipeline's runs."""

    headline: HeadlineChoice | None = Field(description="Null: chosen automatically for each run.")
