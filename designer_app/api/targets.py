"""Compute targets: what each offers, adding one and removing it."""

from __future__ import annotations

from typing import Any

from designer_app.api.endpoint import Call, Endpoint
from designer_app.api.errors import ApiError, not_found
from designer_app.application import Application
from designer_app.schemas.targets import TargetList, TargetRequest
from designer_app.ui.pipeline_names import names_of


def _list(application: Application, _call: Call) -> dict[str, Any]:
    return {"targets": [offer.to_json() for offer in application.session.targets.offers().values()]}


def _add(application: Application, call: Call) -> dict[str, Any]:
    request: TargetRequest = call.body
    store = application.session.targets
    try:
        store.add(request.name, "local", {"simulated_nodes": request.simulated_nodes})
    except ValueError:
        raise ApiError(
            409,
            "name_taken",
            f"There is a target {request.name!r} already.",
            "Choose another name, or remove it first where it is not built in.",
        ) from None
    return _list(application, call)


def _remove(application: Application, call: Call) -> dict[str, Any]:
    name, store = call.path["target"], application.session.targets
    if name not in {each.name for each in store.all()}:
        raise not_found(f"There is no target {name!r}.", "See the list of targets.")
    used = application.session.pipelines.using_target(name)
    if used and not call.number("even_if_used", 0, largest=1):
        raise ApiError(
            409,
            "in_use",
            f"{name!r} is the target of {names_of(used)}.",
            "Choose another target there, or remove it with even_if_used=1.",
        )
    try:
        store.remove(name)
    except ValueError:
        raise ApiError(
            409, "built_in", f"{name!r} is built in.", "Remove one that was added."
        ) from None
    return _list(application, call)


ENDPOINTS = (
    Endpoint("GET", "/api/targets", "What the targets offer.", _list, gives=TargetList),
    Endpoint(
        "POST",
        "/api/targets",
        "Add this machine as so many simulated nodes.",
        _add,
        takes=TargetRequest,
        gives=TargetList,
        status=201,
        errors=(409, 422),
    ),
    Endpoint(
        "DELETE",
        "/api/targets/{target}",
        "Remove a target that was added; one that saved pipelines use only if told to.",
        _remove,
        gives=TargetList,
        query={"even_if_used": "1: also where saved pipelines use it."},
        errors=(404, 409),
    ),
)
