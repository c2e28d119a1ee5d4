"""Pipeline document: the versioned JSON that the designer saves, opens and submits."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import Field, ValidationError

from modules.catalog import Catalog
from modules.files.regular_files import read_regular_or_input
from modules.operating_system.special_files import is_standard_input
from modules.schema_reference import DocumentData, JsonSchema
from modules.sentences.sentence import Statement
from pipelines.document import migrations, strict_json
from pipelines.document.parts import (
    OMISSIBLE,
    Definition,
    DefinitionPort,
    Endpoint,
    Id,
    Link,
    Node,
    NodeGroup,
    Note,
    Part,
    Pin,
    PipelineParameter,
    Position,
    RunSettings,
    Text,
    Title,
    omissible,
)
from pipelines.document.schema_errors import schema_problems
from pipelines.document.settings import Settings
from pipelines.problems import (
    DOCUMENT_TOO_LARGE,
    DUPLICATE_ID,
    NOT_A_PIPELINE,
    PipelineError,
    Problem,
    bounded,
)
from pipelines.sentences import documents

__all__ = [
    "FORMAT",
    "MAX_BYTES",
    "OMISSIBLE",
    "Definition",
    "DefinitionPort",
    "Endpoint",
    "Link",
    "Node",
    "NodeGroup",
    "Note",
    "Pin",
    "PipelineDocument",
    "PipelineParameter",
    "Position",
    "RunSettings",
    "Settings",
    "compact",
    "document_bytes",
    "dump_document",
    "duplicate_problems",
    "json_schema",
    "load_document",
    "parse_document",
]

FORMAT: Literal["pipeline-designer/2"] = "pipeline-designer/2"
MAX_BYTES = 25_000_000


class PipelineDocument(Part):
    """Pipeline: nodes, the links between them, and annotations."""

    format: Literal["pipeline-designer/2"] = FORMAT
    id: Id
    name: Title = ""
    description: Text = ""
    nodes: Annotated[tuple[Node, ...], Field(strict=False, max_length=5000)] = ()
    links: Annotated[tuple[Link, ...], Field(strict=False, max_length=20_000)] = ()
    notes: Annotated[tuple[Note, ...], Field(strict=False, max_length=2000)] = ()
    groups: Annotated[tuple[NodeGroup, ...], Field(strict=False, max_length=1000)] = ()
    parameters: Annotated[tuple[PipelineParameter, ...], Field(strict=False, max_length=1000)] = (
        omissible(())
    )
    definitions: Annotated[tuple[Definition, ...], Field(strict=False, max_length=500)] = omissible(
        (), description="Sub-pipelines that nodes refer to."
    )
    settings: Settings = Settings()

    def definition(self, definition_id: str) -> Definition | None:
        """Return the sub-pipeline with that id, if there is one."""
        return next(
            (definition for definition in self.definitions if definition.id == definition_id), None
        )

    def node(self, node_id: str) -> Node | None:
        """Return the node with that id, if there is one."""
        return next((node for node in self.nodes if node.id == node_id), None)

    def to_json(self) -> DocumentData:
        """Return the document as JSON values, with keys in the order of the format."""
        return self.model_dump(mode="json", by_alias=True)


def parse_document(source: str | bytes | object) -> PipelineDocument:
    """Parse a document from JSON text, bytes or parsed JSON; older formats are migrated.

    Raises ``PipelineError`` with all problems.
    """
    if isinstance(source, str | bytes | bytearray):
        if len(source) > MAX_BYTES:
            raise _too_large(len(source))
        values = strict_json.parse_checked(source)
    else:
        values = strict_json.checked(source)
    content = migrations.migrate(values)
    try:
        document = PipelineDocument.model_validate(content, by_alias=True, by_name=False)
    except ValidationError as error:
        raise PipelineError(schema_problems(error, content)) from None
    problems = bounded(duplicate_problems(document))
    if problems:
        raise PipelineError(problems)
    return document


def load_document(path: Path) -> PipelineDocument:
    """Load a document from a file; raises ``PipelineError``, also if the file does not exist."""
    return parse_document(document_bytes(path))


def document_bytes(path: Path) -> bytes:
    """Return the content of a file or of standard input, ``-``; raises ``PipelineError``."""
    try:
        if not is_standard_input(path) and path.stat().st_size > MAX_BYTES:
            raise _too_large(path.stat().st_size)
        return read_regular_or_input(path, MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        facts = {"file": path, "error": reason}
        raise PipelineError.of(NOT_A_PIPELINE, documents.DOCUMENT_UNREADABLE, **facts) from None


def dump_document(document: PipelineDocument) -> str:
    """Return canonical text: equal documents always have the same bytes."""
    return json.dumps(document.to_json(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def compact(document: PipelineDocument, catalog: Catalog) -> PipelineDocument:
    """Return the document without parameters that equal their default."""
    definitions = tuple(_compact_nodes(definition, catalog) for definition in document.definitions)
    return _compact_nodes(document, catalog).model_copy(update={"definitions": definitions})


_Whole = TypeVar("_Whole", PipelineDocument, Definition)


def _compact_nodes(whole: _Whole, catalog: Catalog) -> _Whole:
    nodes = tuple(_compact_node(node, catalog) for node in whole.nodes)
    return whole.model_copy(update={"nodes": nodes})


def json_schema() -> JsonSchema:
    """Return the JSON Schema of the format."""
    schema = PipelineDocument.model_json_schema(by_alias=True)
    schema["required"] = ["format", *schema["required"]]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def duplicate_problems(document: PipelineDocument) -> Iterator[Problem]:
    """Return one problem for each duplicate id in the pipeline or a definition."""
    yield from _duplicates(document.definitions, "definition")
    wholes: tuple[PipelineDocument | Definition, ...] = (document, *document.definitions)
    for whole in wholes:
        location = "" if whole is document else documents.IN_DEFINITION.about({"id": whole.id})
        yield from _duplicates(whole.nodes, "node", location)
        yield from _duplicates(whole.notes, "note", location)
        yield from _duplicates(whole.groups, "group", location)
        yield from _duplicates(whole.parameters, "parameter", location)
    for definition in document.definitions:
        location = documents.IN_DEFINITION.about({"id": definition.id})
        yield from _duplicates(definition.inputs, "input", location)
        yield from _duplicates(definition.outputs, "output", location)


_WithId = Definition | DefinitionPort | NodeGroup | Node | Note | PipelineParameter


def _duplicates(
    items: Iterable[_WithId], word: str, location: str | Statement = ""
) -> Iterator[Problem]:
    counts = Counter(item.id for item in items)
    for item_id in (repeated_id for repeated_id, count in counts.items() if count > 1):
        yield Problem.of(
            DUPLICATE_ID,
            documents.SAME_ID,
            count=counts[item_id],
            what=word,
            where=location,
            id=item_id,
            node=item_id if word == "node" and not location else None,
        )


def _compact_node(node: Node, catalog: Catalog) -> Node:
    module = catalog.get(node.module)
    if module is None:
        return node
    fields = module.parameters_type.model_fields
    parameters = {
        name: value
        for name, value in node.parameters.items()
        if name not in fields
        or fields[name].is_required()
        or not _same(value, fields[name].get_default(call_default_factory=True))
    }
    return node.model_copy(update={"parameters": parameters})


def _same(value: object, default: object) -> bool:
    """Return True if equal as JSON: ``1`` equals ``1.0``, but never ``true``."""
    kinds = {isinstance(value, bool) for value in (value, default)}
    if isinstance(value, int | float) and isinstance(default, int | float) and len(kinds) == 1:
        return value == default
    return json.dumps(value, sort_keys=True) == json.dumps(default, sort_keys=True, default=str)


def _too_large(size: int) -> PipelineError:
    limit = {"num_bytes": size, "most": MAX_BYTES}
    return PipelineError.of(DOCUMENT_TOO_LARGE, documents.DOCUMENT_TOO_LARGE, **limit)
