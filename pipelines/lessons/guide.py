"""Guides of lessons: steps, each with a check of the pipeline or its run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

GUIDES_DIR = Path(__file__).resolve().parent / "library" / "guides"
Level = Literal["beginner", "intermediate", "advanced"]
Comparison = Literal["is", "is not", "at least", "at most", "begins with"]
Value = bool | float | str
Sentence = Annotated[str, Field(min_length=1, max_length=400)]


class GuideModel(BaseModel):
    """Part of a guide: frozen, without extra fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ParameterCheck(GuideModel):
    """Check of a parameter of a node, or of any node of ``module:<id>``."""

    kind: Literal["parameter"] = "parameter"
    node: str
    parameter: str
    comparison: Comparison
    value: Value | tuple[str, ...]
    """Required value; of several texts, one of them."""
    feeds: str | None = None
    """Restriction to nodes with a wire to this input, as ``node.port``."""


class RunSettingCheck(GuideModel):
    """Check of a node's run settings: its target, or its number of nodes and processes."""

    kind: Literal["run setting"] = "run setting"
    node: str
    setting: Literal["target", "node_count", "process_count_per_node"]
    comparison: Comparison
    value: int | str


class LinkCheck(GuideModel):
    """Check of a wire from an output to an input, both as ``node.port``."""

    kind: Literal["link"] = "link"
    source: str
    target: str


DocumentCheck = ParameterCheck | RunSettingCheck | LinkCheck


class RanCheck(GuideModel):
    """Check that a node has outputs in the shown run, with the pipeline in this state."""

    kind: Literal["ran"] = "ran"
    node: str
    of: tuple[Annotated[DocumentCheck, Field(discriminator="kind")], ...] = ()
    reused: str | None = None
    """Node whose outputs must be reused from an earlier run."""


class ShownCheck(GuideModel):
    """Check that a node is selected and a tab of its pane is open."""

    kind: Literal["shown"] = "shown"
    node: str
    tab: Literal["settings", "result", "details", "logs", "code"]


class LookedCheck(GuideModel):
    """Check that an output was opened after the lesson was."""

    kind: Literal["looked"] = "looked"
    node: str
    port: str


class VariedCheck(GuideModel):
    """Check that a sweep varies a parameter of a node."""

    kind: Literal["varied"] = "varied"
    node: str
    parameter: str


class ConfirmedCheck(GuideModel):
    """Check that the user marked the step as done, for actions on other pages and elsewhere."""

    kind: Literal["confirmed"] = "confirmed"


Check = Annotated[
    ParameterCheck
    | RunSettingCheck
    | LinkCheck
    | RanCheck
    | ShownCheck
    | LookedCheck
    | VariedCheck
    | ConfirmedCheck,
    Field(discriminator="kind"),
]


class ShowMe(GuideModel):
    """Target of *Show me*: a node, a field or tab of its pane, or a button of the toolbar."""

    node: str | None = None
    parameter: str | None = None
    tab: Literal["settings", "result", "details", "logs", "code"] | None = None
    button: Literal["submit", "palette"] | None = None


class LessonStep(GuideModel):
    """Single action and its visible result."""

    task: Sentence
    hint: Sentence
    after: Sentence
    """Explanation of the result, shown when the step is done."""
    checks: Annotated[tuple[Check, ...], Field(min_length=1, max_length=6)]
    """Checks that must all pass for the step to be done."""
    show: ShowMe
    how_to: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")] | None = None
    """Page of the how-to guides with more about the step."""


class LessonGuide(GuideModel):
    """Guide from ``pipelines/lessons/library/guides/<lesson>.json``."""

    minutes: Annotated[int, Field(ge=1, le=60)]
    level: Level
    steps: Annotated[tuple[LessonStep, ...], Field(min_length=3, max_length=6)]


def load_guide(slug: str) -> LessonGuide:
    """Load the guide of a lesson; raises ``pydantic.ValidationError`` if it is invalid."""
    path = GUIDES_DIR / f"{slug}.json"
    return LessonGuide.model_validate_json(path.read_text(encoding="utf-8"))
