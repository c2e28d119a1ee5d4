"""Allowing the code that a pipeline brings, by what it hashes to."""

from __future__ import annotations

from typing import Any

from designer_app.api.endpoint import Call, Endpoint
from designer_app.application import Application
from designer_app.schemas.code import CodeAllowance


def _allow(application: Application, call: Call) -> dict[str, Any]:
    request: CodeAllowance = call.body
    application.session.checks.allowed_code.allow([request.hash])
    return {"hash": request.hash}


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/code/allow",
        "Let code that its owner typed or looked at run in the workspace, by what it hashes to.",
        _allow,
        takes=CodeAllowance,
        gives=CodeAllowance,
        errors=(422,),
    ),
)
