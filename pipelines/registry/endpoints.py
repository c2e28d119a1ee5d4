"""Deployed endpoints: what is to be served where, under which name."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from modules.artifacts import TrainedModel
from modules.json_model import JsonModel
from pipelines.errors import NameTakenError, NotFoundError, RefusedError
from pipelines.registry.caller_keys import CallerKeys
from pipelines.registry.models import ModelRegistry
from pipelines.registry.real_time import real_time_model
from pipelines.sentences import calling
from pipelines.store.database.connections import Database
from pipelines.store.database.endpoints import (
    EndpointRow,
    EndpointStore,
    ProcessReport,
    ServedReport,
)
from pipelines.store.database.published import PublishedStore

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
FIRST_PORT, LAST_PORT = 8600, 8699
LOCAL = "127.0.0.1"
PUBLISHED = "published:"
"""Start of a reference to a published inference pipeline, whose model is then served."""


class DeployedSettings(JsonModel):
    """Settings of an endpoint: its model and its port."""

    model: str = Field(max_length=201, description="NAME@VERSION, NAME@ALIAS or NAME.")
    port: int = Field(ge=1, le=65535)
    golden: str | None = Field(None, max_length=4096, description="Folder of known images.")
    previous: str | None = Field(None, max_length=201, description="What it served before.")
    challenger: str | None = Field(None, max_length=201, description="Second version.")
    percent: float = Field(0.0, ge=0, le=100, description="Requests that the second one answers.")


@dataclass(frozen=True)
class DeployedEndpoint:
    """Endpoint with what its process and the endpoint itself report."""

    name: str
    settings: DeployedSettings
    process: ProcessReport
    served: ServedReport | None
    stopped: bool
    created: float

    @property
    def address(self) -> str:
        return f"http://{LOCAL}:{self.settings.port}"

    @property
    def state(self) -> str:
        """Return ``stopped``, ``starting``, ``ready``, ``not ready``, ``waiting`` or ``failed``."""
        if self.stopped:
            return "stopped"
        state = str(self.process.get("state", "starting"))
        if state != "running":
            return state
        pid = self.process.get("pid")
        # a forked worker serves; where processes cannot fork, the process itself does
        if self.served is None or pid not in (self.served.get("parent"), self.served.get("pid")):
            return "starting"
        return "ready" if self.served.get("ready") else "not ready"


class Endpoints:
    """Endpoints of a workspace. Unknown ones raise ``NotFoundError``."""

    def __init__(self, database: Database, models: ModelRegistry) -> None:
        self.store = EndpointStore(database)
        self._models = models
        self._published = PublishedStore(database)

    def all(self) -> list[DeployedEndpoint]:
        """Return the endpoints by name."""
        return [_endpoint(row) for row in self.store.all()]

    def find(self, name: str) -> DeployedEndpoint:
        row = self.store.get(name)
        if row is None:
            raise NotFoundError(calling.NO_ENDPOINT, name=name[:100])
        return _endpoint(row)

    def deploy(
        self, name: str, model: str, *, port: int | None = None, golden: Path | None = None
    ) -> DeployedEndpoint:
        """Add an endpoint, which the automation process then starts and keeps.

        Raises ``RefusedError`` for an invalid name, a model that cannot be served or a port in use,
        ``NotFoundError`` for an unknown model.
        """
        if NAME.fullmatch(name) is None:
            raise RefusedError(calling.NO_ENDPOINT_NAME, text=name[:80])
        model = self._model_of(model)
        self._require_servable(model)
        used = {endpoint.settings.port: endpoint.name for endpoint in self.all()}
        if port in used:
            raise RefusedError(calling.ENDPOINT_PORT_USED, port=port, name=used[port])
        if golden is not None and not golden.is_dir():
            raise RefusedError(calling.GOLDEN_FOLDER_EMPTY, folder=str(golden))
        settings = DeployedSettings(
            model=model,
            port=port or _free_port(set(used)),
            golden=None if golden is None else str(golden.resolve()),
        )
        if not self.store.add(name, settings.model_dump()):
            raise NameTakenError(calling.ENDPOINT_TAKEN, name=name)
        return self.find(name)

    def _model_of(self, reference: str) -> str:
        """Return the model of a published inference pipeline; other references are unchanged."""
        if not reference.startswith(PUBLISHED):
            return reference
        name = reference.removeprefix(PUBLISHED)
        pipeline = self._published.get(name)
        if pipeline is None:
            raise NotFoundError(calling.NO_PUBLISHED, name=name[:100])
        return real_time_model(pipeline.newest.document, self._models)

    def _require_servable(self, model: str) -> None:
        registered = self._models.find(model)
        if not isinstance(registered.artifact, TrainedModel):
            raise RefusedError(calling.NOT_SERVABLE, model=registered.reference)

    def swap(self, name: str, model: str) -> DeployedEndpoint:
        """Let an endpoint serve another version or alias; it checks it before it replaces."""
        endpoint = self.find(name)
        model = self._model_of(model)
        self._require_servable(model)
        return self._change(endpoint, model)

    def rollback(self, name: str) -> DeployedEndpoint:
        """Return to what an endpoint served before."""
        endpoint = self.find(name)
        previous = endpoint.settings.previous or (endpoint.served or {}).get("previous")
        if previous is None:
            raise RefusedError(calling.NO_EARLIER_VERSION)
        return self._change(endpoint, str(previous))

    def _change(self, endpoint: DeployedEndpoint, model: str) -> DeployedEndpoint:
        serving = (endpoint.served or {}).get("model") or endpoint.settings.model
        settings = endpoint.settings.model_copy(update={"model": model, "previous": serving})
        self.store.change(endpoint.name, settings=settings.model_dump())
        return self.find(endpoint.name)

    def challenge(self, name: str, model: str | None, percent: float = 0.0) -> DeployedEndpoint:
        """Add a second version that answers a share of the requests, or only compares with 0.

        None removes it. Raises ``RefusedError`` for another share than 0 to 100.
        """
        endpoint = self.find(name)
        if model is not None:
            model = self._model_of(model)
            self._require_servable(model)
        if not 0 <= percent <= 100:
            raise RefusedError(calling.NO_SHARE, percent=percent)
        changes = {"challenger": model, "percent": percent}
        settings = endpoint.settings.model_copy(update=changes)
        self.store.change(name, settings=settings.model_dump())
        return self.find(name)

    def stop(self, name: str) -> DeployedEndpoint:
        """Stop an endpoint; it keeps its port and keys."""
        self.find(name)
        self.store.change(name, stopped=True)
        return self.find(name)

    def start(self, name: str) -> DeployedEndpoint:
        """Start a stopped or failed endpoint."""
        self.find(name)
        self.store.change(name, stopped=False, process={})
        return self.find(name)

    def remove(self, name: str) -> None:
        """Remove an endpoint with its keys."""
        self.find(name)
        self.store.delete(name)
        CallerKeys(self.store.database, f"endpoint:{name}").clear()


def _endpoint(row: EndpointRow) -> DeployedEndpoint:
    return DeployedEndpoint(
        row.name,
        DeployedSettings(**row.settings),
        row.process,
        row.served,
        row.stopped,
        row.created,
    )


def _free_port(used: set[int]) -> int:
    """Return a port that no endpoint has and on which nothing listens now."""
    for port in range(FIRST_PORT, LAST_PORT + 1):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if port not in used and probe.connect_ex((LOCAL, port)) != 0:
                return port
    raise RefusedError(calling.NO_FREE_PORT, first=FIRST_PORT, last=LAST_PORT)
