"""Endpoints for code in pipelines: review and approval."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from designer_app.api import sentences
from designer_app.api.endpoint import Call, Endpoint
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.schemas.code import CodeAllowance, CodeEdit, CodePieces, CodeVerdict
from modules.errors import ModuleError
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.inspection.script_sources import script_source
from pipelines.validation.brought_code import BroughtCode


def _look(application: Application, call: Call) -> dict[str, Any]:
    pieces = application.session.checks.code_of(call.document)
    return {"pieces": [_told(application, code) for code in pieces]}


def _told(application: Application, code: BroughtCode) -> dict[str, Any]:
    return {
        "node": code.node.id,
        "kind": code.kind,
        "parameter": code.parameters[0],
        "title": code.title,
        "text": code.text,
        "settings": code.settings,
        "hash": code.sha256,
        "is_allowed": application.session.checks.allowed_code.allows(code.sha256),
        **_source(application, code),
    }


def _source(application: Application, code: BroughtCode) -> dict[str, Any]:
    """Return the file that a call runs, or the reason why it cannot be read."""
    if code.kind != "call":
        return {"source": None, "source_problem": None}
    context = application.session.checks.reading_context(application.settings.allowed_roots)
    try:
        source = script_source(code.node.parameters, context)
    except (ModuleError, OSError) as error:
        return {"source": None, "source_problem": str(error)}
    return {"source": source and asdict(source), "source_problem": None}


def _allow(application: Application, call: Call) -> dict[str, Any]:
    request: CodeAllowance = call.body
    for sha256 in request.hashes:
        if re.fullmatch(r"[0-9a-f]{64}", sha256) is None:
            raise ApiError(422, "no_code_hash", sentences.NO_CODE_HASH, text=sha256[:100])
    application.session.checks.allowed_code.allow(request.hashes)
    return {"allowed": len(request.hashes)}


def _edit(application: Application, call: Call) -> dict[str, Any]:
    request: CodeEdit = call.body
    places = [(place.node, place.parameter) for place in request.places]
    before = None if request.before is None else parse_document(request.before)
    after = parse_document(request.after)
    allowed = application.session.checks.allow_edits(before, after, places)
    return {"allowed": allowed}


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/code/look",
        "All code that the nodes of a document run, and whether it is approved.",
        _look,
        takes=PipelineDocument,
        gives=CodePieces,
        errors=(422,),
    ),
    Endpoint(
        "POST",
        "/api/code/allow",
        "Approve reviewed code for this workspace, by hash.",
        _allow,
        takes=CodeAllowance,
        gives=CodeVerdict,
        errors=(422,),
    ),
    Endpoint(
        "POST",
        "/api/code/edit",
        "Approve code that was written in the editor; other code stays unapproved.",
        _edit,
        takes=CodeEdit,
        gives=CodeVerdict,
        errors=(422,),
    ),
)
