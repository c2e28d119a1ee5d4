"""Deployed endpoints: kept by the runner through kills, swapped, stopped, removed."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException

import psutil
import pytest

from designer_app.serving.worker import STEADY_SECONDS
from modules.operating_system.signals import KILL
from pipelines.errors import InUseError, NameTakenError, NotFoundError, RefusedError
from pipelines.execution.runner_lock import current_runner
from pipelines.registry.endpoint_files import dockerfile, systemd_unit
from pipelines.registry.endpoints import Endpoints
from pipelines.registry.models import ModelRegistry
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace
from tests.designer_app.serving.endpoints import Caller, picture
from tests.polling import wait_for


@pytest.fixture
def endpoints(runs: RunService, registry: ModelRegistry) -> Iterator[Endpoints]:
    made = Endpoints(runs.database, registry)
    yield made
    for endpoint in made.all():
        made.remove(endpoint.name)


def is_ready(endpoints: Endpoints, name: str) -> bool:
    return endpoints.find(name).state == "ready"


def answers(port: int) -> bool:
    with suppress(OSError, HTTPException):  # it may end within its answer
        return Caller(port).score(picture(1)).status == 200
    return False


@pytest.mark.extended
def test_an_endpoint_survives_kills_and_follows_what_is_stored(
    runs: RunService, endpoints: Endpoints
) -> None:
    port = endpoints.deploy("birds", "m@1").settings.port
    runs.runner.ensure()
    wait_for(lambda: is_ready(endpoints, "birds"))
    assert Caller(port).score(picture(1)).json["model"] == "m@1"
    # the process, under load
    served = endpoints.find("birds").served
    assert served is not None
    wait_for(lambda: time.time() - served["started"] > STEADY_SECONDS)
    psutil.Process(served["pid"]).kill()
    began = time.monotonic()
    assert Caller(port).score(picture(1)).status in (200, 503)  # it waits, and is not refused
    wait_for(lambda: answers(port))
    print(f"answers again after {time.monotonic() - began:.1f} s")
    # its parent: the keeper starts another one
    psutil.Process(endpoints.find("birds").process["pid"]).kill()
    wait_for(lambda: endpoints.find("birds").process.get("crashes") == 1)
    wait_for(lambda: answers(port))
    # another version and back
    endpoints.swap("birds", "m@2")
    wait_for(lambda: Caller(port).score(picture(1)).json["model"] == "m@2")
    wait_for(lambda: (endpoints.find("birds").served or {}).get("model") == "m@2")
    endpoints.rollback("birds")
    wait_for(lambda: Caller(port).score(picture(1)).json["model"] == "m@1")
    # the runner: everything ends with it, and the next one starts it again
    info = current_runner(runs.workspace)
    assert info is not None
    info.identity.signal(KILL)
    wait_for(lambda: not answers(port))
    runs.runner.refresh()
    wait_for(lambda: answers(port))
    # by hand
    endpoints.stop("birds")
    wait_for(lambda: not answers(port))
    assert endpoints.find("birds").state == "stopped"
    endpoints.start("birds")
    runs.runner.ensure()
    wait_for(lambda: answers(port))
    assert endpoints.find("birds").settings.port == port


@pytest.mark.extended
def test_an_endpoint_that_cannot_start_fails_with_pauses(
    runs: RunService, endpoints: Endpoints, registry: ModelRegistry
) -> None:
    port = endpoints.deploy("taken", "m@1").settings.port
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        runs.runner.ensure()
        wait_for(lambda: endpoints.find("taken").process.get("crashes", 0) >= 1)
        assert endpoints.find("taken").state in ("waiting", "starting")
    assert registry.users("m", 1) == ["the endpoint taken"]
    with pytest.raises(InUseError):
        registry.delete("m", 1)
    wait_for(lambda: is_ready(endpoints, "taken"))


@pytest.mark.parametrize("name", ["", "../x", "a b", "x" * 101])
def test_names_that_are_refused(endpoints: Endpoints, name: str) -> None:
    with pytest.raises(RefusedError):
        endpoints.deploy(name, "m@1")


def test_what_is_refused(endpoints: Endpoints, place: Workspace) -> None:
    with pytest.raises(NotFoundError):
        endpoints.deploy("e", "none@1")
    with pytest.raises(RefusedError):
        endpoints.deploy("e", "m@1", golden=place.root / "nowhere")
    first = endpoints.deploy("e", "m@1")
    with pytest.raises(NameTakenError):
        endpoints.deploy("e", "m@1")
    with pytest.raises(RefusedError):
        endpoints.deploy("f", "m@1", port=first.settings.port)
    with pytest.raises(RefusedError):
        endpoints.rollback("e")
    with pytest.raises(NotFoundError):
        endpoints.swap("e", "none@1")
    with pytest.raises(NotFoundError):
        endpoints.find("none")
    assert endpoints.deploy("g", "m@1").settings.port != first.settings.port


def test_files_for_other_machines_name_the_model(endpoints: Endpoints, place: Workspace) -> None:
    endpoint = endpoints.deploy("e", "m@1", golden=place.root)
    unit, image = systemd_unit(endpoint, place.root), dockerfile(endpoint, "1.0.0")
    assert f"serve m@1 --name e --port {endpoint.settings.port}" in unit
    assert "Restart=always" in unit
    assert 'CMD ["designer", "serve", "m@1", "--name", "e", "--port", "8600"]' in image
    assert "pipeline-designer==1.0.0" in image
