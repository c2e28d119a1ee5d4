"""HTTP server for clients of MLflow: on this machine only, for one step, with a secret path.

    http://127.0.0.1:PORT/TOKEN[/rank/N]/api/2.0/mlflow/...

Every run that a client creates there belongs to the step. Requests of ranks other than the first
(``/rank/N``) get the same responses, but do not count.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from modules.scripts.intake import tracking_values as values
from modules.scripts.intake.tracking_routes import answer
from modules.scripts.intake.tracking_runs import MAX_RUNS, Log, TrackingRuns, unknown
from modules.scripts.intake.tracking_values import Reply, TrackingError
from modules.sentences import script_metrics as say

MAX_BODY_BYTES = 4 * 2**20
"""Maximum body size; MLflow's own clients send 1 MB at most."""
MAX_CONNECTIONS = 128
IDLE_SECONDS = 120.0
VERSION = "3.0.0"
"""MLflow version reported to clients."""
INTERFACES = ("/api/2.0/mlflow/", "/api/3.0/mlflow/")
STOP_SECONDS = 5.0
STOP_LOOK_SECONDS = 0.05


class TrackingRoute(NamedTuple):
    """The parsed path of a request."""

    rank: int
    rest: str


class TrackingServer:
    """Server that runs from its creation until it is stopped, with requests in other threads."""

    def __init__(self, artifacts: Path, log: Log) -> None:
        """Start the server; clients write files to ``artifacts``, ``log`` gets the points."""
        self.run_id = secrets.token_hex(16)
        self._token = secrets.token_urlsafe(24)
        self._artifacts = artifacts
        self._lock = threading.Lock()
        self._ranks = {0: TrackingRuns(self.run_id, artifacts, log)}
        self._server = _Server(self.answer)
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            args=(STOP_LOOK_SECONDS,),
            name="tracking",
            daemon=True,
        )
        self._thread.start()

    @property
    def address(self) -> str:
        """Return the tracking URI for clients."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/{self._token}"

    def stop(self) -> None:
        """Stop accepting requests."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(STOP_SECONDS)

    def answer(self, method: str, target: str, raw: bytes) -> str | Reply:
        """Return the response to a request; raise ``TrackingError``."""
        parts = urlsplit(target)
        place = self._place(parts.path)
        if place.rest in ("/version", "/health"):
            return VERSION if place.rest == "/version" else "OK"
        interface = next(
            (interface for interface in INTERFACES if place.rest.startswith(interface)), None
        )
        if interface is None:
            facts = say.TRACKING_NOT_HERE.about({"method": method, "path": place.rest[:200]})
            raise TrackingError("ENDPOINT_NOT_FOUND", facts)
        body = {**dict(parse_qsl(parts.query)), **values.parsed(raw)}
        with self._lock:
            return answer(
                self._runs_of(place.rank), method, place.rest.removeprefix(interface), body
            )

    def _place(self, path: str) -> TrackingRoute:
        token, _, rest = path.lstrip("/").partition("/")
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            raise unknown("address", "of this token")
        if not rest.startswith("rank/"):
            return TrackingRoute(0, f"/{rest}")
        number, _, rest = rest.removeprefix("rank/").partition("/")
        if not number.isdecimal() or len(number) > 6:
            raise unknown("rank", number)
        return TrackingRoute(int(number), f"/{rest}")

    def _runs_of(self, rank: int) -> TrackingRuns:
        if rank not in self._ranks:
            if len(self._ranks) > MAX_RUNS:
                raise unknown("rank", str(rank))
            folder = self._artifacts / f"rank-{rank}"
            self._ranks[rank] = TrackingRuns(self.run_id, folder, _discard)
        return self._ranks[rank]


def _discard(run: str, name: str, value: float, step: int | None) -> None:
    """Discard points of ranks that do not count."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # otherwise it would wait for connections of running clients
    request_queue_size = 64

    def __init__(self, answer: Callable[[str, str, bytes], str | Reply]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self._free = threading.Semaphore(MAX_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """Ignore errors: clients that end in the middle of a request are killed ranks."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    disable_nagle_algorithm = True  # otherwise a delayed acknowledgement costs 40 ms per call
    wbufsize = 65_536  # head and body of a response are sent as one

    def _serve(self) -> None:
        status, content = self._answered()
        is_text = isinstance(content, str)
        raw = content.encode() if isinstance(content, str) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain" if is_text else "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)
        self.wfile.flush()

    def _answered(self) -> tuple[int, str | Mapping[str, Any]]:
        try:
            return 200, self.server.answer(self.command, self.path, self._body())
        except TrackingError as refusal:
            return refusal.status, refusal.reply
        except OSError:
            raise
        except Exception:
            self.close_connection = True
            failure = TrackingError("INTERNAL_ERROR", say.TRACKING_FAILED.about({}))
            return failure.status, failure.reply

    def _body(self) -> bytes:
        """Return the body; if its length is invalid, read nothing and close the connection."""
        length = self.headers.get("Content-Length", "0")
        fits = length.isdecimal() and len(length) < 10 and int(length) <= MAX_BODY_BYTES
        if not fits or "Transfer-Encoding" in self.headers:
            self.close_connection = True
            facts = say.TRACKING_TOO_LARGE.about({"most": MAX_BODY_BYTES})
            raise TrackingError("INVALID_PARAMETER_VALUE", facts)
        return self.rfile.read(int(length))

    def log_message(self, *_: object) -> None:
        """Log nothing: requests of a script do not belong into the step's log."""

    # http.server requires these names
    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_HEAD = _serve  # noqa: N815
