"""Another version is served without a failed request, and only if it is as good."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from designer_app.serving.settings import EndpointSettings, ServingLimits
from designer_app.serving.statistics import Statistics, drift, prometheus_text
from pipelines.errors import RefusedError
from pipelines.registry.endpoints import Endpoints
from pipelines.registry.models import ModelRegistry
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace
from tests.designer_app.serving.endpoints import Caller, Running, picture, register, running
from tests.polling import wait_for


def serves(endpoint: Running, wanted: str) -> bool:
    return served(endpoint) == wanted


def served(endpoint: Running) -> str:
    return str(endpoint.caller.get("/health/ready").json["model"])


@pytest.mark.extended
def test_an_alias_that_moves_is_followed_without_a_failed_request(
    place: Workspace, runs: RunService, registry: ModelRegistry
) -> None:
    assert runs.workspace == place
    registry.set_alias("m", "production", 1)
    limits = ServingLimits(kept_seconds=0.1)
    with running(EndpointSettings(place, "m@production", "m", limits=limits)) as endpoint:
        results: list[tuple[int, str]] = []
        over = threading.Event()

        def call() -> None:
            while not over.is_set():
                reply = endpoint.caller.score(picture(1))
                results.append((reply.status, reply.json.get("model", "")))

        threads = [threading.Thread(target=call) for _ in range(8)]
        for thread in threads:
            thread.start()
        for version in (2, 1, 2):
            registry.set_alias("m", "production", version)
            wanted = f"m@{version}"
            wait_for(partial(serves, endpoint, wanted))
        over.set()
        for thread in threads:
            thread.join()
        assert {status for status, _ in results} == {200}
        assert {model for _, model in results} == {"m@1", "m@2"}
        assert endpoint.caller.get("/status").json["swaps"] == 3
        # what was before comes back by one call, and stays although the alias is elsewhere
        assert endpoint.caller.post("/rollback", {}).json == {"model": "m@1"}
        time.sleep(2.5)
        assert served(endpoint) == "m@1"


def test_a_version_without_numbers_is_rejected_and_the_old_one_stays(
    place: Workspace, runs: RunService, registry: ModelRegistry
) -> None:
    register(runs, 11, "broken")
    bad = register(runs, 12, "broken", broken=True)
    registry.set_alias("broken", "live", 1)
    with running(EndpointSettings(place, "broken@live", "broken")) as endpoint:
        registry.set_alias("broken", "live", bad.version.version)
        status = wait_for(lambda: (s := endpoint.caller.get("/status").json)["last_problem"] and s)
        assert "nan" in status["last_problem"]
        assert (status["model"], status["ready"]) == ("broken@1", True)
        assert endpoint.caller.score(picture(1)).status == 200
        reply = endpoint.caller.post("/swap", {"model": "broken@9"})
        assert (reply.status, reply.error) == (404, "not_found")


def golden_folder(folder: Path, endpoint: Caller, count: int) -> Path:
    """Pictures in the folders of the labels that an endpoint gives them now."""
    for number in range(count):
        content = picture(number)
        target = folder / endpoint.score(content).json["label"]
        target.mkdir(parents=True, exist_ok=True)
        (target / f"{number}.jpg").write_bytes(content)
    return folder


def test_golden_images_must_not_be_lost(
    place: Workspace, caller: Caller, runs: RunService, tmp_path: Path
) -> None:
    golden = golden_folder(tmp_path / "golden", caller, 12)
    for how in ({}, {"rotated": True}):
        register(runs, 1, "golden", **how)
    with running(EndpointSettings(place, "golden@1", "golden", golden=golden)) as endpoint:
        reply = endpoint.caller.post("/swap", {"model": "golden@2"})
        assert (reply.status, reply.error) == (422, "not_taken")
        assert "0 of 12 golden images" in reply.json["error"]["message"]
        assert served(endpoint) == "golden@1"
        assert endpoint.caller.post("/swap", {"model": "golden@1"}).status == 200


def test_a_golden_folder_without_known_classes_is_refused(
    place: Workspace, runs: RunService, tmp_path: Path
) -> None:
    assert runs.workspace == place
    settings = EndpointSettings(place, "m@1", "m", golden=tmp_path)
    with running(settings, ready=False) as endpoint:
        reply = wait_for(lambda: (r := endpoint.caller.get("/health/ready").json)["reason"] and r)
        wait_for(lambda: "no image" in endpoint.caller.get("/health/ready").json["reason"])
        assert reply["ready"] is False
        assert endpoint.caller.score(picture(1)).status == 503


def test_a_damaged_model_is_not_ready_and_says_why(place: Workspace, runs: RunService) -> None:
    whole = register(runs, 21, "damaged")
    weights = Path(whole.artifact.path) / "model.safetensors"
    with running(EndpointSettings(place, "damaged@1", "damaged")) as endpoint:
        kept = weights.with_suffix(".kept")
        weights.parent.chmod(0o755)
        shutil.move(weights, kept)
        reply = endpoint.caller.get("/health/ready")
        assert (reply.status, reply.json["ready"]) == (503, False)
        assert "damaged@1" in reply.json["reason"]
        weights.write_bytes(b"{}")
    with running(EndpointSettings(place, "damaged@1", "damaged"), ready=False) as endpoint:
        wait_for(lambda: "damaged" in endpoint.caller.get("/health/ready").json["reason"])
        assert endpoint.caller.score(picture(1)).error == "not_ready"


def test_a_second_version_is_compared_and_answers_its_share(
    place: Workspace, runs: RunService, registry: ModelRegistry
) -> None:
    for how in ({}, {"rotated": True}):
        register(runs, 1, "twin", **how)
    endpoints = Endpoints(runs.database, registry)
    endpoints.deploy("pair", "twin@1")

    def second() -> dict[str, Any]:
        """What the endpoint says about its second version, after some requests."""
        assert endpoint.caller.score(picture(1)).status == 200
        return dict(endpoint.caller.get("/status").json["challenger"] or {})

    with running(EndpointSettings(place, "twin@1", "pair", is_deployed=True)) as endpoint:
        assert second() == {}
        endpoints.challenge("pair", "twin@1")
        wait_for(lambda: second().get("compared", 0) >= 5)
        assert second()["agreement"] == 1
        endpoints.challenge("pair", "twin@2")
        wait_for(lambda: second().get("model") == "twin@2" and second()["compared"] >= 5)
        assert second()["agreement"] == 0
        assert endpoint.caller.score(picture(1)).json["model"] == "twin@1"
        endpoints.challenge("pair", "twin@2", 100)
        wait_for(lambda: second().get("percent") == 100)
        assert endpoint.caller.score(picture(1)).json["model"] == "twin@2"
        wait_for(lambda: second()["compared"] >= 1)
        assert second()["agreement"] == 0
        endpoints.challenge("pair", None)
        wait_for(lambda: second() == {})
        assert endpoint.caller.score(picture(1)).json["model"] == "twin@1"
    assert registry.users("twin", 1) == ["the endpoint pair"]
    for percent in (-1, 101):
        with pytest.raises(RefusedError):
            endpoints.challenge("pair", "twin@2", percent)
    endpoints.remove("pair")


def test_counters_beyond_a_million_are_exact() -> None:
    statistics = Statistics(statuses=Counter({200: 12_345_678}), labels=Counter({"a": 1_234_567}))
    text = prometheus_text(statistics, 0, "m@1", "torch", is_ready=True)
    assert 'designer_requests_total{status="200"} 12345678\n' in text
    assert 'designer_predictions_total{label="a"} 1234567\n' in text


def test_drift_is_the_distance_between_the_shares_of_classes() -> None:
    assert drift({"a": 10}, {"a": 1, "b": 1})["verdict"] == "unknown"
    assert drift({"a": 50, "b": 50}, {})["verdict"] == "unknown"
    same = drift({"a": 51, "b": 49}, {"a": 500, "b": 500})
    assert (same["verdict"], same["distance"]) == ("similar", 0.01)
    other = drift({"a": 90, "c": 10}, {"a": 30, "b": 70})
    assert (other["verdict"], other["most"], other["distance"]) == ("different", "b", 0.7)


# the command


def command(place: Workspace, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "designer_app.command", "serve"),
            *(*arguments, "--workspace", str(place.root)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_command_prints_its_address_and_ends_by_a_signal(
    place: Workspace, runs: RunService
) -> None:
    assert runs.workspace == place
    with command(place, "m@1", "--port", "0", "--key", "sixteen-letters-!") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Endpoint m: http://127.0.0.1:"), process.stderr
        caller = Caller(int(line.rsplit(":", 1)[1]), "sixteen-letters-!")
        wait_for(lambda: caller.is_ready)
        assert caller.score(picture(1)).status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none", "--port", "0"], "none"),
        (["m@77", "--port", "0"], "77"),
        (["m", "--key", "short", "--port", "0"], "Invalid key"),
        (["m", "--host", "0.0.0.0", "--port", "0"], "TLS"),
        (["m", "--host", "0.0.0.0", "--port", "0", "--key", "sixteen-letters-!"], "TLS"),
        (["m", "--certificate", "/nowhere.pem", "--port", "0"], "certificate"),
    ],
)
def test_the_command_refuses_with_a_sentence(
    place: Workspace, runs: RunService, arguments: list[str], said: str
) -> None:
    assert runs.workspace == place
    with command(place, *arguments) as process:
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert output == ""
    assert said in errors
    assert "Traceback" not in errors
