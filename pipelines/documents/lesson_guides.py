"""What a lesson asks of who does it: steps, each with a check on the pipeline or its run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

GUIDES_DIR = Path(__file__).resolve().parents[1] / "library" / "guides"
Level = Literal["beginner", "intermediate", "advanced"]
Comparison = Literal["is", "is not", "at least", "at most", "begins with"]
Value = bool | float | str
Sentence = Annotated[str, Field(min_length=1, max_length=400)]


class GuideModel(BaseModel):
    """A part of a guide: frozen, and of these fields only."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ParameterCheck(GuideModel):
    """A parameter of a node, or of any node of ``module:<id>``, has such a value."""

    kind: Literal["parameter"] = "parameter"
    node: str
    parameter: str
    comparison: Comparison
    value: Value | tuple[str, ...]
    """Several texts: one of them."""
    feeds: str | None = None
    """Only of a node that has a wire to this input, as ``node.port``."""


class RunSettingCheck(GuideModel):
    """A node is to run so: its target, or how many nodes and processes it takes."""

    kind: Literal["run setting"] = "run setting"
    node: str
    setting: Literal["target", "node_count", "process_count_per_node"]
    comparison: Comparison
    value: int | str


class LinkCheck(GuideModel):
    """A wire leads from an output to an input, both as ``node.port``."""

    kind: Literal["link"] = "link"
    source: str
    target: str


DocumentCheck = ParameterCheck | RunSettingCheck | LinkCheck


class RanCheck(GuideModel):
    """A node has given its outputs in the run that is shown, of a pipeline that was so."""

    kind: Literal["ran"] = "ran"
    node: str
    of: tuple[Annotated[DocumentCheck, Field(discriminator="kind")], ...] = ()
    reused: str | None = None
    """A node whose outputs were reused from an earlier run."""


class ShownCheck(GuideModel):
    """A node is selected and a tab of its pane is open."""

    kind: Literal["shown"] = "shown"
    node: str
    tab: Literal["settings", "result", "details", "logs", "code"]


class LookedCheck(GuideModel):
    """An output was opened since the lesson was."""

    kind: Literal["looked"] = "looked"
    node: str
    port: str


Check = Annotated[
    ParameterCheck | RunSettingCheck | LinkCheck | RanCheck | ShownCheck | LookedCheck,
    Field(discriminator="kind"),
]


class ShowMe(GuideModel):
    """What *Show me* points at: a node, a field or tab of its pane, or a button of the bar."""

    node: str | None = None
    parameter: str | None = None
    tab: Literal["settings", "result", "details", "logs", "code"] | None = None
    button: Literal["submit", "palette"] | None = None


class LessonStep(GuideModel):
    """One thing to do and to see."""

    task: Sentence
    hint: Sentence
    after: Sentence
    """What there is to see once it is done."""
    checks: Annotated[tuple[Check, ...], Field(min_length=1, max_length=6)]
    """All of them hold when the step is done."""
    show: ShowMe


class LessonGuide(GuideModel):
    """``pipelines/library/guides/<lesson>.json``."""

    minutes: Annotated[int, Field(ge=1, le=60)]
    level: Level
    steps: Annotated[tuple[LessonStep, ...], Field(min_length=3, max_length=6)]


def load_guide(slug: str) -> LessonGuide:
    """The guide of a lesson; raises ``pydantic.ValidationError`` where it is none."""
    path = GUIDES_DIR / f"{slug}.json"
    return LessonGuide.model_validate_json(path.read_text(encoding="utf-8"))
