"""Endpoint that reads a script's options, framework and packages without running it."""

from __future__ import annotations

from typing import cast

from pydantic import Field

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.application import Application
from designer_app.errors import ApiError
from modules.json_model import JsonModel
from modules.scripts.declared_modules import declared_modules
from modules.scripts.declared_options import DeclaredOption, declared_options, usual_arguments
from modules.scripts.frameworks import framework_of
from pipelines.document.document import PipelineDocument
from pipelines.document.parts import Launcher
from pipelines.document.script_run_configs import submission_in
from pipelines.environments.formats import read_definition
from pipelines.errors import RefusedError


class ScriptText(JsonModel):
    """Text of a script."""

    text: str = Field(max_length=1_000_000)


class ScriptFramework(JsonModel):
    """Framework that starts a script's processes, and its launcher and environment."""

    title: str
    launcher: Launcher | None = Field(description="Null if the default launcher is suitable.")
    environment: str | None = Field(description="Name of the included environment.")


class ScriptFacts(JsonModel):
    """Facts read from a script."""

    options: list[DeclaredOption]
    arguments: list[str] = Field(description="Arguments with the default values.")
    requirements: tuple[str, ...] = Field(description="Packages of the script header (PEP 723).")
    framework: ScriptFramework | None = Field(description="Framework, according to the imports.")
    modules: list[str] = Field(
        description="Titles of modules declared with `@module`: such a file is not a script."
    )
    submission: PipelineDocument | None = Field(
        description="One node per ScriptRunConfig of SDK v1: such a file is not a script."
    )
    notes: list[str] = Field(description="Steps required before the submission can run.")
    modules_folder: str = Field(description="Folder of the modules of the workspace.")


@ApiEndpoint("POST", "/api/scripts/read", takes=ScriptText, errors=(422,))
def _read(application: Application, call: Call) -> ScriptFacts:
    """The argparse options, framework and inline requirements of a script."""
    request: ScriptText = call.body
    try:
        options = declared_options(request.text)
    except SyntaxError as error:
        line = error.lineno or 1
        raise ApiError(
            422, "no_script", sentences.NO_PYTHON_SCRIPT, fault=error.msg, line=line
        ) from None
    imported = submission_in(request.text)
    return ScriptFacts(
        options=options,
        arguments=usual_arguments(options),
        requirements=_requirements(request.text),
        framework=_framework(request.text),
        modules=declared_modules(request.text),
        submission=imported.document if imported else None,
        notes=[str(note) for note in imported.notes] if imported else [],
        modules_folder=str(application.settings.workspace.modules_dir),
    )


def _framework(text: str) -> ScriptFramework | None:
    framework = framework_of(text)
    if framework is None:
        return None
    return ScriptFramework(
        title=framework.title,
        launcher=cast("Launcher | None", framework.launcher),
        environment=framework.environment,
    )


def _requirements(text: str) -> tuple[str, ...]:
    """Return the packages of the script header; empty if it is missing or invalid."""
    try:
        return read_definition(text, "script.py").requirements
    except RefusedError:
        return ()


ENDPOINTS = (_read,)
