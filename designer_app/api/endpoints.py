"""Every endpoint of the API, in the order of its documentation."""

from __future__ import annotations

from designer_app.api import (
    artifacts,
    catalog,
    comparison,
    datasets,
    environment,
    environments,
    events,
    history,
    log_patterns,
    log_search,
    logs,
    models,
    pipelines,
    previews,
    replays,
    results,
    revisions,
    runs,
    step_files,
    targets,
    thumbnails,
    validation,
)
from designer_app.api.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (
    *catalog.ENDPOINTS,
    *pipelines.ENDPOINTS,
    *revisions.ENDPOINTS,
    *validation.ENDPOINTS,
    *history.ENDPOINTS,
    *runs.ENDPOINTS,
    *results.ENDPOINTS,
    *comparison.ENDPOINTS,
    *events.ENDPOINTS,
    *logs.ENDPOINTS,
    *log_search.ENDPOINTS,
    *log_patterns.ENDPOINTS,
    *step_files.ENDPOINTS,
    *artifacts.ENDPOINTS,
    *thumbnails.ENDPOINTS,
    *previews.ENDPOINTS,
    *replays.ENDPOINTS,
    *targets.ENDPOINTS,
    *environments.ENDPOINTS,
    *datasets.ENDPOINTS,
    *models.ENDPOINTS,
    *environment.ENDPOINTS,
)
