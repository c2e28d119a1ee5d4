"""Parts of a pipeline document: nodes, links, sub-pipelines, and their limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, PlainSerializer, StringConstraints

from modules.formatting import shortest

OMISSIBLE = "x-omissible"
"""Schema marker of fields that are only written if set."""
DEFINITION_PREFIX = "definition:"
"""Module prefix of nodes that contain a sub-pipeline of the same document."""


def omissible(default: Any, **field: Any) -> Any:
    """Return a field that is only written if set: its default is null, 0 or empty."""
    return Field(
        default, exclude_if=lambda value: not value, json_schema_extra={OMISSIBLE: True}, **field
    )


_ID = r"[a-z0-9][a-z0-9_-]{0,63}"
_NAME = r"[A-Za-z_][A-Za-z0-9_]{0,127}"
_VERSIONED = r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}"
Id = Annotated[str, StringConstraints(pattern=rf"^{_ID}$")]
Name = Annotated[str, StringConstraints(pattern=rf"^{_NAME}$")]
ModuleId = Annotated[str, StringConstraints(pattern=rf"^({_NAME}|{DEFINITION_PREFIX}{_ID})$")]
MOST_STEPS_PER_GPU = 16
MAX_DEPTH = 16
"""Limit of the nesting of sub-pipelines."""
_PATH = rf"{_ID}(/{_ID}){{0,{MAX_DEPTH}}}"
MAX_PATH = 64 * (MAX_DEPTH + 1) + MAX_DEPTH
"""Limit of the path of a node, in characters."""
NodePath = Annotated[str, StringConstraints(pattern=rf"^{_PATH}$")]
"""Node of a run, as a path through its sub-pipelines: ``front/twice/sum``."""
Bind = Annotated[str, StringConstraints(pattern=rf"^{_PATH}\.{_NAME}$")]
EnvironmentName = Annotated[
    str, StringConstraints(pattern=rf"^{_VERSIONED}(@{_VERSIONED})?$", max_length=200)
]
ArtifactId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$")]
RunId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]
Title = Annotated[str, StringConstraints(max_length=200)]
Text = Annotated[str, StringConstraints(max_length=20_000)]
Number = Annotated[float, PlainSerializer(shortest)]
Pixels = Annotated[Number, Field(ge=-1e7, le=1e7)]
Launcher = Literal["none", "pytorch_process", "pytorch_node", "mpi", "tensorflow"]
ParameterType = Literal["integer", "number", "boolean", "string", "array", "object"]


class Part(BaseModel):
    """Part of a document: no extra fields, no silent conversions."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        allow_inf_nan=False,
        populate_by_name=True,
        serialize_by_alias=True,
    )

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Return itself, as parts are immutable; pydantic would copy defaults for each node."""
        return self


class Position(Part):
    """Position of the upper left corner on the canvas."""

    x: Pixels = 0
    y: Pixels = 0


class RunSettings(Part):
    """Compute target, processes and limits of a node."""

    target: Id | None = Field(None, description="Compute target. Null: that of the pipeline.")
    node_count: int = Field(1, ge=1, le=10_000, description="Number of machines.")
    process_count_per_node: int = Field(1, ge=1, le=10_000, description="Processes per machine.")
    regenerate_output: bool = Field(False, description="Run even if an output can be reused.")
    time_limit_minutes: Number = Field(0, ge=0, le=1e6, description="0: no limit.")
    retries: int = Field(0, ge=0, le=10, description="Attempts after the first one.")
    stall_limit_minutes: Number | None = omissible(
        None,
        gt=0,
        le=1e6,
        description="Time without progress after which the step is ended. Null: no limit.",
    )
    environment: EnvironmentName | None = omissible(
        None, description="NAME or NAME@VERSION. Null: the designer's own environment."
    )
    launcher: Launcher | None = omissible(
        None, description="Launcher of the processes. Null: the default of the module."
    )
    parameter_server_count: int = omissible(
        0, ge=0, le=10_000, description="Parameter servers in addition to the workers."
    )
    cores_per_process: int | None = omissible(
        None, ge=1, le=10_000, description="CPU cores per process. Null: all cores, shared evenly."
    )
    steps_per_gpu: int | None = omissible(
        None,
        ge=1,
        le=MOST_STEPS_PER_GPU,
        title="Steps per GPU",
        description="Steps that share a GPU. Null: 1, more for parallel trials of a sweep.",
    )
    variables: dict[Name, Text] = omissible(
        {}, max_length=200, description="Environment variables of the processes."
    )


class Pin(Part):
    """Stored result that a node uses instead of being computed."""

    artifact: ArtifactId
    run: RunId = Field(description="Run that computed it.")


class Node(Part):
    """Module, or a sub-pipeline (``definition:ID``), on the canvas."""

    id: Id
    module: ModuleId
    version: int = Field(1, ge=1, le=1_000_000)
    title: Title | None = None
    color: Id | None = omissible(None, description="Name of a color. Null: that of the category.")
    position: Position = Position()
    parameters: dict[Name, JsonValue] = Field(default_factory=dict, max_length=1000)
    run_settings: RunSettings = RunSettings()
    comment: Text = ""
    disabled: bool = False
    collapsed: bool = omissible(False, description="Shown as its title bar only.")
    pin: Pin | None = omissible(None, description="Stored result that runs use. Null: computed.")

    @property
    def is_pinned(self) -> bool:
        """Return True if runs use a stored result of the node; a disabled node is left out."""
        return self.pin is not None and not self.disabled

    @property
    def definition_id(self) -> str | None:
        """Return the sub-pipeline of the node; None for a module."""
        is_definition = self.module.startswith(DEFINITION_PREFIX)
        return self.module.removeprefix(DEFINITION_PREFIX) if is_definition else None


class Endpoint(Part):
    """Port of a node."""

    node: Id
    port: Name

    def __str__(self) -> str:
        return f"{self.node}.{self.port}"


class Link(Part):
    """Wire from an output to an input."""

    from_: Endpoint = Field(alias="from")
    to: Endpoint
    waypoints: Annotated[tuple[Position, ...], Field(strict=False, max_length=100)] = omissible(
        (), description="Waypoints of the wire, in order."
    )


class Note(Part):
    """Markdown note on the canvas."""

    id: Id
    position: Position = Position()
    width: Annotated[Number, Field(gt=0, le=1e5)] = 240
    height: Annotated[Number, Field(gt=0, le=1e5)] = 120
    text: Text = ""


class NodeGroup(Part):
    """Frame around nodes."""

    id: Id
    title: Title = ""
    colour: Id = "grey"
    nodes: Annotated[tuple[Id, ...], Field(strict=False, max_length=5000)] = ()
    collapsed: bool = False


class PipelineParameter(Part):
    """Named value, set once and passed to the node parameters bound to it."""

    id: Name
    title: Title = ""
    type: ParameterType = "string"
    default: JsonValue = None
    description: Text = ""
    binds: Annotated[tuple[Bind, ...], Field(strict=False, max_length=1000)] = Field(
        (), description="NODE.PARAMETER, or NODE/INNER.PARAMETER in a sub-pipeline."
    )


class DefinitionPort(Part):
    """Port of a sub-pipeline and the inner port that it exposes."""

    id: Name
    title: Title = ""
    node: Id
    port: Name


class Definition(Part):
    """Sub-pipeline: nodes placed in pipelines as one node, with ports and parameters."""

    id: Id
    title: Title = ""
    description: Text = ""
    nodes: Annotated[tuple[Node, ...], Field(strict=False, max_length=5000)] = ()
    links: Annotated[tuple[Link, ...], Field(strict=False, max_length=20_000)] = ()
    notes: Annotated[tuple[Note, ...], Field(strict=False, max_length=2000)] = omissible(())
    groups: Annotated[tuple[NodeGroup, ...], Field(strict=False, max_length=1000)] = omissible(())
    parameters: Annotated[tuple[PipelineParameter, ...], Field(strict=False, max_length=1000)] = ()
    inputs: Annotated[tuple[DefinitionPort, ...], Field(strict=False, max_length=1000)] = ()
    outputs: Annotated[tuple[DefinitionPort, ...], Field(strict=False, max_length=1000)] = ()
