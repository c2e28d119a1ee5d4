"""All endpoints of the API, in the order of its documentation."""

from __future__ import annotations

from designer_app.api import (
    artifacts,
    catalog,
    code,
    comparison,
    datasets,
    environment,
    environments,
    events,
    history,
    inference,
    log_patterns,
    log_search,
    logs,
    models,
    pipeline_code,
    pipelines,
    previews,
    published,
    recording_training,
    recordings,
    replays,
    results,
    revisions,
    runs,
    scripts,
    step_files,
    sweeps,
    targets,
    thumbnails,
    tried,
    validation,
)
from designer_app.api.endpoint import ApiEndpoint

_RESOURCES = (
    *(catalog, pipelines, revisions, validation, code, pipeline_code),
    *(history, runs, results, comparison),
    *(events, logs, log_search, log_patterns, step_files, artifacts, thumbnails, previews, tried),
    *(replays, targets, environments, scripts, datasets, models, published, inference, environment),
    *(recordings, recording_training, sweeps),
)
ENDPOINTS: tuple[ApiEndpoint, ...] = tuple(
    endpoint for resource in _RESOURCES for endpoint in resource.ENDPOINTS
)
