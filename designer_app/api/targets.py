"""Compute targets: what each offers, and adding one."""

from __future__ import annotations

from typing import Any

from designer_app.api.endpoint import Call, Endpoint
from designer_app.api.errors import ApiError
from designer_app.api.models import TargetList, TargetRequest
from designer_app.application import Application
from pipelines.store.targets import TargetStore


def _list(application: Application, _call: Call) -> dict[str, Any]:
    return {"targets": [offer.to_json() for offer in application.runs.offers().values()]}


def _add(application: Application, call: Call) -> dict[str, Any]:
    request: TargetRequest = call.body
    store = TargetStore(application.runs.database)
    try:
        store.add(request.name, "local", {"simulated_nodes": request.simulated_nodes})
    except ValueError:
        raise ApiError(
            409, "name_taken", f"{request.name!r} is built in.", "Choose another name."
        ) from None
    return _list(application, call)


ENDPOINTS = (
    Endpoint("GET", "/api/targets", "What the targets offer.", _list, gives=TargetList),
    Endpoint(
        "POST",
        "/api/targets",
        "Add this machine as so many simulated nodes, or change such a target.",
        _add,
        takes=TargetRequest,
        gives=TargetList,
        status=201,
        errors=(409, 422),
    ),
)
