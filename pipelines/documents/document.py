"""The pipeline document: what a designer saves, opens and submits (JSON, versioned)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PlainSerializer,
    StringConstraints,
    ValidationError,
)

from modules.catalog import Catalog
from pipelines.documents import migrations, strict_json
from pipelines.documents.schema_errors import schema_problems
from pipelines.problems import (
    DOCUMENT_TOO_LARGE,
    DUPLICATE_ID,
    NOT_A_PIPELINE,
    PipelineError,
    Problem,
)

FORMAT: Literal["pipeline-designer/1"] = "pipeline-designer/1"
MAX_BYTES = 25_000_000
OMISSIBLE = "x-omissible"
"""Marks in the schema what is only written where it is set."""


def _shortest(number: float) -> float | int:
    """``2`` for ``2.0``, as browsers write it."""
    return int(number) if number == int(number) else number


Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")]
Title = Annotated[str, StringConstraints(max_length=200)]
Text = Annotated[str, StringConstraints(max_length=20_000)]
Number = Annotated[float, PlainSerializer(_shortest)]
Pixels = Annotated[Number, Field(ge=-1e7, le=1e7)]


class _Part(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        allow_inf_nan=False,
        populate_by_name=True,
        serialize_by_alias=True,
    )


class Position(_Part):
    """Where the upper left corner lies on the canvas."""

    x: Pixels = 0
    y: Pixels = 0


class RunSettings(_Part):
    """Where and how a node runs."""

    target: Id | None = Field(None, description="Compute target; null: the pipeline's.")
    node_count: int = Field(1, ge=1, le=10_000, description="Machines.")
    process_count_per_node: int = Field(1, ge=1, le=10_000, description="Processes on each.")
    regenerate_output: bool = Field(False, description="Run even where an output could be reused.")
    time_limit_minutes: Number = Field(0, ge=0, le=1e6, description="0: none.")
    retries: int = Field(0, ge=0, le=10, description="Attempts after the first.")
    stall_limit_minutes: Number | None = Field(
        None,
        gt=0,
        le=1e6,
        description="Without progress for so long it is ended and tried again; null: never.",
        exclude_if=lambda limit: limit is None,
        json_schema_extra={OMISSIBLE: True},
    )


class Node(_Part):
    """A module placed on the canvas."""

    id: Id
    module: Name
    version: int = Field(1, ge=1, le=1_000_000)
    title: Title | None = None
    position: Position = Position()
    parameters: dict[Name, JsonValue] = Field(default_factory=dict, max_length=1000)
    run_settings: RunSettings = RunSettings()
    comment: Text = ""
    disabled: bool = False


class Endpoint(_Part):
    """A port of a node."""

    node: Id
    port: Name

    def __str__(self) -> str:
        return f"{self.node}.{self.port}"


class Link(_Part):
    """A wire from an output to an input."""

    from_: Endpoint = Field(alias="from")
    to: Endpoint


class Note(_Part):
    """A piece of Markdown on the canvas."""

    id: Id
    position: Position = Position()
    width: Annotated[Number, Field(gt=0, le=1e5)] = 240
    height: Annotated[Number, Field(gt=0, le=1e5)] = 120
    text: Text = ""


class Group(_Part):
    """A frame around nodes."""

    id: Id
    title: Title = ""
    colour: Id = "grey"
    nodes: Annotated[tuple[Id, ...], Field(strict=False, max_length=5000)] = ()
    collapsed: bool = False


class Settings(_Part):
    """What holds for every node that does not say otherwise."""

    target: Id = "local"
    random_seed: int | None = Field(None, ge=0, le=2**32 - 1)


class PipelineDocument(_Part):
    """A pipeline: nodes, the links between them, and what is written around them."""

    format: Literal["pipeline-designer/1"] = FORMAT
    id: Id
    name: Title = ""
    description: Text = ""
    nodes: Annotated[tuple[Node, ...], Field(strict=False, max_length=5000)] = ()
    links: Annotated[tuple[Link, ...], Field(strict=False, max_length=20_000)] = ()
    notes: Annotated[tuple[Note, ...], Field(strict=False, max_length=2000)] = ()
    groups: Annotated[tuple[Group, ...], Field(strict=False, max_length=1000)] = ()
    settings: Settings = Settings()

    def node(self, node_id: str) -> Node | None:
        """The node of that id, if there is one."""
        return next((node for node in self.nodes if node.id == node_id), None)

    def to_json(self) -> dict[str, Any]:
        """The document as JSON values, keys in the order of the format."""
        return self.model_dump(mode="json", by_alias=True)


def parse_document(source: str | bytes | object) -> PipelineDocument:
    """The document in JSON text, bytes or parsed JSON; older formats are migrated.

    Raises ``PipelineError`` with every problem found.
    """
    if isinstance(source, str | bytes | bytearray):
        if len(source) > MAX_BYTES:
            raise PipelineError([_too_large(len(source))])
        source = strict_json.parse(source)
    content = migrations.migrate(strict_json.checked(source))
    try:
        document = PipelineDocument.model_validate(content, by_alias=True, by_name=False)
    except ValidationError as error:
        raise PipelineError(schema_problems(error, content)) from None
    problems = list(duplicate_problems(document))
    if problems:
        raise PipelineError(problems)
    return document


def load_document(path: Path) -> PipelineDocument:
    """The document in a file; raises ``PipelineError``, also where there is none."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise PipelineError([_too_large(path.stat().st_size)])
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PipelineError(
            [
                Problem.of(
                    NOT_A_PIPELINE,
                    f"{path} cannot be read: {reason}.",
                    "Give the path of a pipeline document (JSON).",
                )
            ]
        ) from None
    return parse_document(content)


def dump_document(document: PipelineDocument) -> str:
    """Canonical text: the same document always gives the same bytes."""
    return json.dumps(document.to_json(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def compact(document: PipelineDocument, catalog: Catalog) -> PipelineDocument:
    """The document without parameters that equal their default."""
    nodes = tuple(_compact_node(node, catalog) for node in document.nodes)
    return document.model_copy(update={"nodes": nodes})


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    schema = PipelineDocument.model_json_schema(by_alias=True)
    schema["required"] = ["format", *schema["required"]]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def duplicate_problems(document: PipelineDocument) -> Iterator[Problem]:
    """One problem for each id that two nodes, two notes or two groups have."""
    parts: tuple[tuple[str, Iterable[Node | Note | Group]], ...] = (
        ("node", document.nodes),
        ("note", document.notes),
        ("group", document.groups),
    )
    for word, items in parts:
        counts = Counter(item.id for item in items)
        for item_id in (each for each, count in counts.items() if count > 1):
            yield Problem.of(
                DUPLICATE_ID,
                f"{counts[item_id]} {word}s have the id {item_id!r}.",
                f"Give each {word} an id of its own.",
                node=item_id if word == "node" else None,
            )


def _compact_node(node: Node, catalog: Catalog) -> Node:
    module = catalog.get(node.module)
    if module is None:
        return node
    fields = module.parameters_type.model_fields
    kept = {
        name: value
        for name, value in node.parameters.items()
        if name not in fields
        or fields[name].is_required()
        or not _same(value, fields[name].get_default(call_default_factory=True))
    }
    return node.model_copy(update={"parameters": kept})


def _same(value: object, default: object) -> bool:
    """Equal as JSON: ``1`` is ``1.0``, but never ``true``."""
    kinds = {isinstance(each, bool) for each in (value, default)}
    if isinstance(value, int | float) and isinstance(default, int | float) and len(kinds) == 1:
        return value == default
    return json.dumps(value, sort_keys=True) == json.dumps(default, sort_keys=True, default=str)


def _too_large(size: int) -> Problem:
    return Problem.of(
        DOCUMENT_TOO_LARGE,
        f"The document has {size:,} bytes, more than {MAX_BYTES:,}.",
        "Remove large texts from parameters, notes and comments.",
    )
