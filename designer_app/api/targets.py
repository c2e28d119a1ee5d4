"""Endpoints for compute targets: list, add and remove."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.api.errors import error_response
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.ui.pipeline_names import names_of
from modules.json_model import JsonModel
from pipelines.document.target_offer import TargetOffer
from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import refusals


class TargetRequest(JsonModel):
    """Cluster, or this machine as several simulated nodes for learning and testing."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    simulated_nodes: int | None = Field(None, ge=1, le=64)
    kind: str = "local"
    settings: dict[str, str | int | float] = {}

    @model_validator(mode="after")
    def _has_nodes(self) -> Self:
        if self.kind == "local" and self.simulated_nodes is None:
            raise ValueError("simulated_nodes is missing")
        return self

    @property
    def given(self) -> dict[str, str | int | float]:
        """Return all settings of the request."""
        nodes = self.simulated_nodes
        return self.settings if nodes is None else {**self.settings, "simulated_nodes": nodes}


class TargetList(JsonModel):
    targets: list[TargetOffer]


@ApiEndpoint("GET", "/api/targets")
def _list(application: Application, _call: Call) -> TargetList:
    """The compute targets and their capacity."""
    return _targets(application)


@ApiEndpoint("POST", "/api/targets", takes=TargetRequest, status=201, errors=(409, 422))
def _add(application: Application, call: Call) -> TargetList:
    """Add a cluster, or this machine as so many simulated machines."""
    request: TargetRequest = call.body
    store = application.session.targets
    store.add(request.name, request.kind, request.given)
    return _targets(application)


@ApiEndpoint(
    "DELETE",
    "/api/targets/{target}",
    query={"even_if_used": "1: also where saved pipelines use it."},
    errors=(404, 409),
)
def _remove(application: Application, call: Call) -> TargetList:
    """Remove a target; with `even_if_used`, also if saved pipelines use it."""
    name, store = call.path["target"], application.session.targets
    if name not in {target.name for target in store.all()}:
        raise NotFoundError(refusals.NO_TARGET, target=name)
    used = application.session.pipelines.using_target(name)
    if used and not call.number("even_if_used", 0, largest=1):
        users = names_of(used, application.session.pipelines.all())
        raise ApiError(409, "in_use", sentences.TARGET_NEEDED, target=name, users=users)
    try:
        store.remove(name)
    except RefusedError as error:
        raise error_response(error, 409, "built_in") from None
    return _targets(application)


def _targets(application: Application) -> TargetList:
    return TargetList(targets=list(application.session.targets.offers().values()))


ENDPOINTS = (_list, _add, _remove)
