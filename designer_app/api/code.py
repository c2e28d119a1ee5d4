"""Endpoints for code in pipelines: review and approval."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.schemas.documents import Document
from modules.errors import ModuleError
from modules.json_model import JsonModel
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.inspection.script_sources import ScriptSource, script_source
from pipelines.validation.brought_code import BroughtCode

Hash = Annotated[str, Field(max_length=200, description="SHA-256, hexadecimal.")]


class CodeAllowance(JsonModel):
    """Reviewed code, identified by its hashes."""

    hashes: list[Hash] = Field(max_length=10_000)


class CodePlace(JsonModel):
    """Parameter of a node, or its run setting ``variables``."""

    node: str = Field(max_length=2_000, description="Path of the node, including sub-pipelines.")
    parameter: str = Field(max_length=200)


class CodeEdit(JsonModel):
    """Code written here by the owner; code that was unapproved before stays unapproved."""

    before: Document | None = None
    after: Document
    places: list[CodePlace] = Field(max_length=10_000)


class CodePiece(JsonModel):
    """Code that a pipeline runs in one of its nodes."""

    node: str
    kind: Literal["program", "call", "variables"]
    parameter: str
    title: str
    text: str
    settings: str = Field(description="Arguments of a program, one per line.")
    hash: str
    is_allowed: bool
    source: ScriptSource | None = Field(description="File that a call runs.")
    source_problem: str | None = Field(description="Reason why the file of a call cannot be shown.")


class CodePieces(JsonModel):
    """All code in a pipeline, in node order."""

    pieces: list[CodePiece]


class CodeVerdict(JsonModel):
    """Number of newly approved pieces."""

    allowed: int


@ApiEndpoint("POST", "/api/code/look", takes=PipelineDocument, errors=(422,))
def _look(application: Application, call: Call) -> CodePieces:
    """All code that the nodes of a document run, and whether it is approved."""
    pieces = application.session.checks.code_of(call.document)
    return CodePieces(pieces=[_piece(application, code) for code in pieces])


def _piece(application: Application, code: BroughtCode) -> CodePiece:
    source, source_problem = _source(application, code)
    return CodePiece(
        node=code.node.id,
        kind=code.kind,
        parameter=code.parameters[0],
        title=code.title,
        text=code.text,
        settings=code.settings,
        hash=code.sha256,
        is_allowed=application.session.checks.allowed_code.allows(code.sha256),
        source=source,
        source_problem=source_problem,
    )


def _source(application: Application, code: BroughtCode) -> tuple[ScriptSource | None, str | None]:
    """Return the file that a call runs, or the reason why it cannot be read."""
    if code.kind != "call":
        return None, None
    context = application.session.checks.reading_context(application.settings.allowed_roots)
    try:
        return script_source(code.node.parameters, context), None
    except (ModuleError, OSError) as error:
        return None, str(error)


@ApiEndpoint("POST", "/api/code/allow", takes=CodeAllowance, errors=(422,))
def _allow(application: Application, call: Call) -> CodeVerdict:
    """Approve reviewed code for this workspace, by hash."""
    request: CodeAllowance = call.body
    for sha256 in request.hashes:
        if re.fullmatch(r"[0-9a-f]{64}", sha256) is None:
            raise ApiError(422, "no_code_hash", sentences.NO_CODE_HASH, text=sha256[:100])
    application.session.checks.allowed_code.allow(request.hashes)
    return CodeVerdict(allowed=len(request.hashes))


@ApiEndpoint("POST", "/api/code/edit", takes=CodeEdit, errors=(422,))
def _edit(application: Application, call: Call) -> CodeVerdict:
    """Approve code that was written in the editor; other code stays unapproved."""
    request: CodeEdit = call.body
    places = [(place.node, place.parameter) for place in request.places]
    before = None if request.before is None else parse_document(request.before)
    after = parse_document(request.after)
    allowed = application.session.checks.allow_edits(before, after, places)
    return CodeVerdict(allowed=allowed)


ENDPOINTS = (_look, _allow, _edit)
