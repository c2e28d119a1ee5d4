"""Endpoint for this machine and this server, as ``designer doctor`` reports them."""

from __future__ import annotations

from typing import Any

from designer_app.api.endpoint import Call, Endpoint
from designer_app.application import Application
from designer_app.schemas.environment import Environment
from pipelines.doctor import examine
from pipelines.execution.runner_lock import current_runner
from pipelines.store.artifacts.cache_keys import library_version


def _environment(application: Application, _call: Call) -> dict[str, Any]:
    workspace = application.settings.workspace
    findings = examine(workspace)
    return {
        "version": library_version("pipeline-designer"),
        "workspace": str(workspace.root),
        "healthy": all(finding.ok for finding in findings),
        "findings": [finding.to_json() for finding in findings],
        "allowed_roots": [str(root) for root in application.settings.allowed_roots],
        "runner": "none" if current_runner(workspace) is None else "running",
    }


ENDPOINTS = (
    Endpoint(
        "GET", "/api/environment", "This machine and this server.", _environment, gives=Environment
    ),
)
