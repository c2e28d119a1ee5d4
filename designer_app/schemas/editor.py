"""Objects that the browser receives besides documents: catalog, problems, runs and events.

The Python side writes these objects by hand (``Catalog.to_json`` and similar). A test validates
them against these models, which also generate the TypeScript types of the editor.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from modules.context import Phase
from pipelines.document.document import PipelineDocument


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class ShareSpec(_Shape):
    """Share of a module's images that one port outputs, between 0 and 1."""

    parameter: str
    is_rest: bool


class PortSpec(_Shape):
    """Input or output of a module."""

    id: str
    type: str
    title: str
    description: str
    optional: bool
    label: str = ""
    share: ShareSpec | None = None
    made_with: str = ""


class ShownWhenSpec(_Shape):
    """Condition: the parameter applies only while another one has one of these values."""

    parameter: str
    values: list[JsonValue]


class FollowsSpec(_Shape):
    """Link to a parameter that changes along while both are equal; one field shows both."""

    parameter: str
    together: str


class ParameterSpec(_Shape):
    """Parameter of a module, with everything the settings pane needs."""

    id: str
    title: str | None
    help: str | None
    type: str
    items: str | None
    nullable: bool
    required: bool
    default: JsonValue
    choices: list[JsonValue] | None
    suggestions: list[str]
    code: str | None
    runs: bool
    from_data: bool
    minimum: float | None
    maximum: float | None
    exclusive_minimum: float | None
    exclusive_maximum: float | None
    min_length: int | None
    max_length: int | None
    unit: str
    group: str
    folded: bool
    shown_when: list[ShownWhenSpec]
    follows: FollowsSpec | None = None


class ModuleSpec(_Shape):
    """Module that can be placed on the canvas."""

    id: str
    version: int
    title: str
    category: str
    summary: str
    description: str
    icon: str
    keywords: list[str]
    inputs: list[PortSpec]
    outputs: list[PortSpec]
    parameters: list[ParameterSpec]
    distributed: bool
    stoppable: bool
    launches: bool
    takes_environment: bool
    bridges: list[str] | None
    libraries: list[str]
    starts_with: dict[str, JsonValue] = {}
    origin: str


class PortTypeSpec(_Shape):
    """Port type and its supertypes, the nearest first."""

    name: str
    colour: str
    help: str
    supertypes: list[str]


class CatalogFailureSpec(_Shape):
    """Module that could not be loaded."""

    source: str
    line: int | None
    message: str
    cure: str
    reason: str = ""
    facts: dict[str, JsonValue] = {}


class CatalogSpec(_Shape):
    """Available modules, in palette order."""

    format: Literal["pipeline-designer-modules/1"]
    modules: list[ModuleSpec]
    port_types: list[PortTypeSpec]
    failures: list[CatalogFailureSpec]


class ProblemShape(_Shape):
    """Problem, its location and its fix."""

    code: str
    name: str
    severity: Literal["error", "warning"]
    node: str | None
    port: str | None
    parameter: str | None
    message: str
    cure: str
    remedy: dict[str, JsonValue] | None
    details: dict[str, JsonValue] | None = None
    reason: str = ""
    facts: dict[str, JsonValue] = {}


class TargetShape(_Shape):
    """Capabilities of a compute target."""

    name: str
    kind: str
    max_nodes: int
    processes_per_node: int
    gpus: int
    memory_bytes: int | None
    simulated: bool
    price_per_hour: float | None
    is_preemptible: bool


class EventShape(_Shape):
    """Event of a run; ``time`` is seconds since the epoch."""

    id: int | None
    kind: str
    node: str | None
    data: dict[str, JsonValue]
    time: float


class PhaseShape(_Shape):
    """Phase of a step; ``facts``: the reason for waiting, or what was built and its size."""

    phase: Phase
    started: float
    finished: float | None
    facts: dict[str, JsonValue]


class StepStateShape(_Shape):
    """State of one node of a run."""

    status: str
    attempt: int
    key: str | None
    artifact_id: str | None
    reused_from: str | None
    started: float | None
    finished: float | None
    problem: ProblemShape | None
    progress: dict[str, JsonValue] | None
    summary: str | None
    warnings: list[str]
    phases: list[PhaseShape]


class RunStateShape(_Shape):
    """State of a run and of each of its nodes."""

    status: str
    started: float | None
    finished: float | None
    cancel_requested: bool
    problem: ProblemShape | None
    steps: dict[str, StepStateShape]


class EditorTypes(_Shape):
    """All objects for which the editor has a type."""

    document: PipelineDocument
    catalog: CatalogSpec
    problem: ProblemShape
    target: TargetShape
    event: EventShape
    run_state: RunStateShape
