"""A workspace with two versions of a small model, and an endpoint of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from designer_app.serving.settings import EndpointSettings
from pipelines.registry.models import ModelRegistry
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace
from tests.designer_app.serving.endpoints import Caller, Running, register, running
from tests.workspaces import made_place, opened


@pytest.fixture(scope="module")
def place() -> Iterator[Workspace]:
    with made_place() as made:
        yield made


@pytest.fixture(scope="module")
def runs(place: Workspace) -> Iterator[RunService]:
    with opened(place.make()) as service:
        for seed in (1, 2):
            register(service, seed)
        yield service


@pytest.fixture
def registry(runs: RunService) -> ModelRegistry:
    return ModelRegistry(runs.database, runs.artifacts)


@pytest.fixture(scope="module")
def endpoint(place: Workspace, runs: RunService) -> Iterator[Running]:
    assert runs.workspace == place
    with running(EndpointSettings(place, "m@1", "m")) as made:
        yield made


@pytest.fixture
def caller(endpoint: Running) -> Caller:
    return endpoint.caller
