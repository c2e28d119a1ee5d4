"""A real server on loopback and a plain client of it."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware

from designer_app.api.routes import routes
from designer_app.application import Application
from designer_app.security.guard import Guard
from designer_app.server.camera_page import camera_route
from designer_app.server.connections import PunctualProtocol
from designer_app.server.page_shell import page_routes
from designer_app.server.server import OrderlyServer, listen
from designer_app.settings import ServerSettings
from pipelines.workspace import Workspace


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        """The code of the error, and every error has a message and a cure."""
        error = self.json["error"]
        assert error["message"].endswith(".")
        assert error["cure"].endswith(".")
        return str(error["code"])

    @property
    def revision(self) -> int:
        return int(self.headers["etag"].strip('"'))


@dataclass(frozen=True)
class Message:
    """One server-sent event."""

    kind: str
    id: int | None
    data: Any


@dataclass
class Client:
    """Sends what a page of this server would send, but for what a test changes."""

    port: int
    token: str
    headers: dict[str, str] = field(default_factory=dict)

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """One request; ``bytes`` go as they are, all else as JSON; a header None is left out."""
        with self.begun(method, path, body, headers) as response:
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())

    @contextmanager
    def begun(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Iterator[http.client.HTTPResponse]:
        """The answer to a request, of which the head has come."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, *self._prepared(body, headers or {}))
            yield connection.getresponse()
        finally:
            connection.close()

    def get(self, path: str, **headers: str | None) -> Answer:
        return self.send("GET", path, None, _dashed(headers))

    def post(self, path: str, body: object = None, **headers: str | None) -> Answer:
        return self.send("POST", path, body, _dashed(headers))

    def put(self, path: str, body: object, **headers: str | None) -> Answer:
        return self.send("PUT", path, body, _dashed(headers))

    def delete(self, path: str) -> Answer:
        return self.send("DELETE", path)

    @contextmanager
    def stream(self, path: str, **headers: str | None) -> Iterator[Iterator[Message]]:
        """The messages of an event stream as they come."""
        with self.begun("GET", path, None, _dashed(headers)) as response:
            assert response.status == 200, response.read()
            yield parsed(iter(response.readline, b""))

    def _prepared(
        self, body: object, headers: Mapping[str, str | None]
    ) -> tuple[bytes | None, dict[str, str]]:
        given: dict[str, str | None] = {"X-Designer-Token": self.token, **self.headers}
        if body is not None:
            given["Content-Type"] = "application/json"
        given.update(headers)
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        return content, {name: value for name, value in given.items() if value is not None}


def parsed(lines: Iterator[bytes]) -> Iterator[Message]:
    """Server-sent events from their lines; comments are passed over."""
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode().rstrip("\n")
        if text and not text.startswith(":"):
            name, _, value = text.partition(": ")
            fields[name] = value
        elif not text and fields:
            number = int(fields["id"]) if "id" in fields else None
            yield Message(fields["event"], number, json.loads(fields["data"]))
            fields = {}


class Server:
    """The API of a workspace on a free port, in a thread; Streamlit is not there."""

    def __init__(self, workspace: Workspace, port: int | None = None, **settings: Any) -> None:
        self._socket = listen(port or 0)
        self.port = self._socket.getsockname()[1]
        self.application = Application(ServerSettings(workspace, port=self.port, **settings))
        app = Starlette(
            routes=[
                *routes(self.application),
                camera_route(self.application.credentials.page_token),
                *page_routes(self.application.credentials.page_token),
            ],
            middleware=[
                Middleware(
                    Guard,
                    credentials=self.application.credentials,
                    settings=self.application.settings,
                    callers=self.application.caller_has_key,
                )
            ],
        )
        configuration = uvicorn.Config(
            app,
            http=PunctualProtocol.with_limits(self.application.settings.connection_limits),
            log_level="error",
            ws="none",
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        self._uvicorn = OrderlyServer(configuration, self.application)
        self._thread = threading.Thread(target=self._uvicorn.run, args=([self._socket],))
        self._thread.start()

    @property
    def client(self) -> Client:
        return Client(self.port, self.application.token)

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._thread.join(timeout=120)
        self._socket.close()
        self.application.close()


def _dashed(headers: Mapping[str, str | None]) -> dict[str, str | None]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
