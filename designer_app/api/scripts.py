"""Endpoint that reads a script's options, framework and packages without running it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from designer_app.api import sentences
from designer_app.api.endpoint import Call, Endpoint
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.schemas.scripts import ScriptFacts, ScriptText
from modules.scripts.declared_modules import declared_modules
from modules.scripts.declared_options import declared_options, usual_arguments
from modules.scripts.frameworks import framework_of
from pipelines.document.script_run_configs import submission_in
from pipelines.environments.formats import read_definition
from pipelines.errors import RefusedError


def _read(application: Application, call: Call) -> dict[str, Any]:
    request: ScriptText = call.body
    try:
        options = declared_options(request.text)
    except SyntaxError as error:
        line = error.lineno or 1
        raise ApiError(
            422, "no_script", sentences.NO_PYTHON_SCRIPT, fault=error.msg, line=line
        ) from None
    imported = submission_in(request.text)
    return {
        "submission": imported and imported.document.to_json(),
        "notes": [str(note) for note in imported.notes] if imported else [],
        "options": [asdict(option) for option in options],
        "arguments": usual_arguments(options),
        "requirements": list(_requirements(request.text)),
        "framework": _framework(request.text),
        "modules": declared_modules(request.text),
        "modules_folder": str(application.settings.workspace.modules_dir),
    }


def _framework(text: str) -> dict[str, Any] | None:
    framework = framework_of(text)
    if framework is None:
        return None
    names = ("title", "launcher", "environment")
    return {name: getattr(framework, name) for name in names}


def _requirements(text: str) -> tuple[str, ...]:
    """Return the packages of the script header; empty if it is missing or invalid."""
    try:
        return read_definition(text, "script.py").requirements
    except RefusedError:
        return ()


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/scripts/read",
        "The argparse options, framework and inline requirements of a script.",
        _read,
        takes=ScriptText,
        gives=ScriptFacts,
        errors=(422,),
    ),
)
