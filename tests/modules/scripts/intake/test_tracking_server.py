"""MLflow's clients are answered as they need it: what its own client asked is asked again."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from modules.scripts.intake.tracking_server import MAX_BODY_BYTES, TrackingServer

CASES = json.loads(
    (Path(__file__).parents[3] / "cases" / "mlflow_requests.json").read_text(encoding="utf-8")
)
LOG_METRIC = "/api/2.0/mlflow/runs/log-metric"


@dataclass
class Client:
    """Speaks to an address over one connection, and sees what was logged."""

    server: TrackingServer
    logged: list[tuple[str, str, float, int | None]]
    connection: HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = HTTPConnection(urlsplit(self.server.address).netloc, timeout=120)

    def ask(
        self, method: str, target: str, body: object = None, *, path: str | None = None
    ) -> tuple[int, Any]:
        base = urlsplit(self.server.address).path if path is None else path
        is_raw = body is None or isinstance(body, bytes)
        raw = body if is_raw else json.dumps(body).encode()
        self.connection.request(method, base + target, raw)  # type: ignore[arg-type]
        answer = self.connection.getresponse()
        content = answer.read()
        is_json = answer.headers["Content-Type"] == "application/json"
        return answer.status, json.loads(content) if is_json else content.decode()

    def log(self, **changed: Any) -> tuple[int, Any]:
        body = {"run_id": self.server.run_id, "key": "loss", "value": 1.0, "step": 1, **changed}
        return self.ask("POST", LOG_METRIC, body)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    logged: list[tuple[str, str, float, int | None]] = []
    server = TrackingServer(tmp_path, lambda *point: logged.append(point))
    client = Client(server, logged)
    yield client
    client.connection.close()
    server.stop()


def filled(value: Any, facts: dict[str, str]) -> Any:
    """A case with its places filled."""
    text = json.dumps(value)
    for name, fact in facts.items():
        text = text.replace(f"{{{name}}}", fact)
    return json.loads(text)


def holds(answer: Any, wanted: Any) -> bool:
    """True where all that is wanted is in the answer."""
    if isinstance(wanted, dict):
        return all(name in answer and holds(answer[name], each) for name, each in wanted.items())
    if isinstance(wanted, list):
        pairs = zip(answer, wanted, strict=False)
        return len(answer) == len(wanted) and all(holds(*pair) for pair in pairs)
    return bool(answer == wanted)


def test_the_requests_of_its_own_client_are_answered(client: Client, tmp_path: Path) -> None:
    facts = {"own": client.server.run_id, "artifacts": tmp_path.as_uri()}
    for case in CASES:
        asked = filled(case, facts)
        status, answer = client.ask(case["method"], asked["target"], asked.get("body"))
        assert status == case["status"], (asked, answer)
        assert holds(answer, asked["gives"]), (asked, answer)
        for name, way in case.get("keep", {}).items():
            found = answer
            for key in way:
                found = found[key]
            facts[name] = found
    told = [(run, name, step) for run, name, _, step in client.logged]
    assert told == [
        ("script", "loss", None),
        ("script", "loss", 1),
        ("script", "bad", None),
        ("script", "a", 7),
        ("script", "b", 7),
        ("outer", "loss", 4),
        ("run", "loss", None),
        ("run", "loss", None),
    ]


def test_only_the_first_rank_counts(client: Client) -> None:
    base = urlsplit(client.server.address).path
    run = f"/api/2.0/mlflow/runs/get?run_id={client.server.run_id}"
    body = {"run_id": client.server.run_id, "key": "loss", "value": 1, "step": 1}
    for rank in (0, 3):
        assert client.ask("POST", LOG_METRIC, body, path=f"{base}/rank/{rank}") == (200, {})
    assert len(client.logged) == 1
    _, answer = client.ask("GET", run, path=f"{base}/rank/3")
    assert answer["run"]["info"]["artifact_uri"].endswith("/rank-3")


@pytest.mark.parametrize("path", ["", "/", "/wrong", "/%C3%A9", "/../.."])
def test_the_address_is_secret(client: Client, path: str) -> None:
    status, answer = client.ask("GET", "/version", path=path)
    assert (status, answer["error_code"]) == (404, "RESOURCE_DOES_NOT_EXIST")


def test_it_listens_on_this_machine_only(client: Client) -> None:
    assert urlsplit(client.server.address).hostname == "127.0.0.1"


@pytest.mark.parametrize(
    "body",
    [
        b"no json",
        b"[1]",
        b"[" * 100_000,
        b"\xff\xfe",
        b'"text"',
    ],
    ids=["text", "list", "deep", "bytes", "string"],
)
def test_a_body_that_is_no_object_is_refused(client: Client, body: bytes) -> None:
    status, answer = client.ask("POST", LOG_METRIC, body)
    assert (status, answer["error_code"]) == (400, "INVALID_PARAMETER_VALUE")
    assert client.log() == (200, {})


@pytest.mark.parametrize(
    "changed",
    [
        {"key": None},
        {"key": ""},
        {"key": "k" * 251},
        {"key": 5},
        {"value": "much"},
        {"value": True},
        {"value": None},
        {"value": [1]},
        {"step": 1.5},
        {"step": "Infinity"},
        {"step": {}, "run_id": 5},
    ],
    ids=str,
)
def test_a_value_that_does_not_fit_is_refused(client: Client, changed: dict[str, Any]) -> None:
    status, answer = client.log(**changed)
    assert (status, answer["error_code"]) == (400, "INVALID_PARAMETER_VALUE")
    assert answer["message"].endswith("Correct the request.")
    assert client.logged == []


@pytest.mark.parametrize("body", [{"metrics": 5}, {"metrics": [5]}, {"tags": "x"}], ids=str)
def test_a_batch_that_does_not_fit_changes_nothing(client: Client, body: dict[str, Any]) -> None:
    point = {"key": "loss", "value": 1, "step": 1}
    batch = {"run_id": client.server.run_id, "metrics": [point], **body}
    status, answer = client.ask("POST", "/api/2.0/mlflow/runs/log-batch", batch)
    assert (status, answer["error_code"]) == (400, "INVALID_PARAMETER_VALUE")
    assert client.logged == []


@pytest.mark.parametrize("run_id", ["", "unknown", "../x"])
def test_a_run_that_is_not_there_is_said_so(client: Client, run_id: str) -> None:
    status, answer = client.log(run_id=run_id)
    assert (status, answer["error_code"]) == (404, "RESOURCE_DOES_NOT_EXIST")


def test_what_one_step_makes_is_bounded(client: Client) -> None:
    create = "/api/2.0/mlflow/runs/create"
    statuses = [client.ask("POST", create, {})[0] for _ in range(505)]
    assert statuses.count(200) == 499
    assert statuses[-1] == 429
    names = [client.log(key=f"m{number}")[0] for number in range(1_001)]
    assert names == [200] * 1_000 + [429]


def test_files_stay_in_the_outputs_whatever_a_model_is_called(
    client: Client, tmp_path: Path
) -> None:
    for name in ("../../etc", "/abs", "..", "net", "net"):
        _, answer = client.ask("POST", "/api/2.0/mlflow/logged-models", {"name": name})
        folder = Path(urlsplit(answer["model"]["info"]["artifact_uri"]).path)
        assert folder.parent == tmp_path
        assert folder.name not in ("", "..")
    assert folder.name == "net-5"


@pytest.mark.parametrize(
    "head",
    [
        f"Content-Length: {MAX_BODY_BYTES + 1}",
        "Content-Length: -5",
        "Content-Length: 99999999999999999999",
        "Content-Length: many",
        "Transfer-Encoding: chunked",
    ],
)
def test_a_body_without_a_fit_length_is_not_read(client: Client, head: str) -> None:
    parts = urlsplit(client.server.address)
    with socket.create_connection((parts.hostname, parts.port), timeout=120) as connection:
        request = f"POST {parts.path}{LOG_METRIC} HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\n"
        connection.sendall(request.encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))  # until it is closed
    assert b" 400 " in answer.split(b"\r\n")[0]
    assert b"INVALID_PARAMETER_VALUE" in answer


def test_requests_in_the_middle_of_which_a_client_ends_do_no_harm(client: Client) -> None:
    parts = urlsplit(client.server.address)
    for content in (
        b"",
        b"GET /\xe9 HTTP/1.1\r\n\r\n",
        b"\0" * 100,
        f"POST {parts.path}{LOG_METRIC}".encode(),
    ):
        with socket.create_connection((parts.hostname, parts.port)) as connection:
            connection.sendall(content)
    assert client.log() == (200, {})
