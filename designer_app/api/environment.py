"""Endpoint for this machine and this server, as ``designer doctor`` reports them."""

from __future__ import annotations

from typing import Literal

from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.application import Application
from modules.json_model import JsonModel
from pipelines.doctor import DoctorCheck, examine
from pipelines.execution.runner_lock import current_runner
from pipelines.store.artifacts.cache_keys import library_version


class Environment(JsonModel):
    "This machine and this server."

    version: str
    workspace: str
    healthy: bool
    findings: list[DoctorCheck]
    allowed_roots: list[str]
    runner: Literal["running", "none"]


@ApiEndpoint("GET", "/api/environment")
def _environment(application: Application, _call: Call) -> Environment:
    """This machine and this server."""
    workspace = application.settings.workspace
    findings = examine(workspace)
    return Environment(
        version=library_version("pipeline-designer"),
        workspace=str(workspace.root),
        healthy=all(finding.ok for finding in findings),
        findings=findings,
        allowed_roots=[str(root) for root in application.settings.allowed_roots],
        runner="none" if current_runner(workspace) is None else "running",
    )


ENDPOINTS = (_environment,)
