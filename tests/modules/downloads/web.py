"""Servers on the loopback that behave as badly as a test says, and an archive to serve."""

from __future__ import annotations

import hashlib
import io
import re
import ssl
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from modules.downloads.download import DownloadLimits
from tests.modules.image_directories.pictures import png_bytes

ALLOWED = "DESIGNER_ALLOWED_DOWNLOAD_HOSTS"
QUICK = DownloadLimits(pause_seconds=0.0)


def archive(num_images: int = 6) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as opened:
        for number in range(num_images):
            opened.writestr(f"{'ab'[number % 2]}/{number}.png", png_bytes(number))
    return buffer.getvalue()


CONTENT = archive()
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@dataclass
class Site:
    """One file, and how the server goes about it."""

    content: bytes = b""
    etag: str | None = '"1"'
    knows_ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    """Bytes after which the next answers end too early, one an answer."""
    statuses: list[int] = field(default_factory=list)
    """Statuses of the next answers, none left: 200 or 206."""
    redirects: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    """What it says its length is, where that is a lie."""
    drip: threading.Event | None = None
    """Until it is set, the second half of an answer comes byte by byte."""
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    port: int = 0

    @cached_property
    def handler(self) -> type[BaseHTTPRequestHandler]:
        return type("SiteHandler", (_Handler,), {"site": self})

    @property
    def starts(self) -> list[int]:
        """Where each GET began to read."""
        ranges = [headers.get("Range", "bytes=0-") for kind, _, headers in self.requests]
        return [int(re.findall(r"\d+", each)[0]) for each in ranges]


class _Handler(BaseHTTPRequestHandler):
    site: Site
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._head(200, 0)

    def do_GET(self) -> None:
        site = self.site
        self._note()
        if self.path in site.redirects:
            self._refuse(302, site.redirects[self.path])
        elif site.statuses:
            self._refuse(site.statuses.pop(0))
        else:
            self._give(self._start())

    def do_CONNECT(self) -> None:
        """A proxy that leads every name to this very server."""
        self._note()
        self.send_response(200)
        self.end_headers()

    def _note(self) -> None:
        self.site.requests.append((self.command, self.path, dict(self.headers)))

    def _give(self, start: int) -> None:
        self._head(206 if start else 200, start)
        body = self.site.content[start:]
        if self.site.cuts:
            body, self.close_connection = body[: self.site.cuts.pop(0)], True
        self._send(body)

    def _send(self, body: bytes) -> None:
        if self.site.drip is None:
            self.wfile.write(body)
            return
        self.wfile.write(body[: len(body) // 2])
        self.wfile.flush()
        rest = iter(body[len(body) // 2 :])
        while not self.site.drip.wait(0.02):
            self.wfile.write(bytes([next(rest)]))
        self.wfile.write(bytes(rest))

    def _start(self) -> int:
        asked = self.headers.get("Range")
        condition = self.headers.get("If-Range")
        if not asked or not self.site.knows_ranges or condition not in (None, self.site.etag):
            return 0
        return int(re.findall(r"\d+", asked)[0])

    def _head(self, status: int, start: int) -> None:
        total = len(self.site.content)
        self.send_response(status)
        if self.site.etag:
            self.send_header("ETag", self.site.etag)
        if status == 206:
            self.send_header("Content-Range", f"bytes {start}-{total - 1}/{total}")
        self.send_header("Content-Length", str(self.site.length or total - start))
        self.end_headers()

    def _refuse(self, status: int, location: str | None = None) -> None:
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the test's output clean."""


@contextmanager
def serving(site: Site, certificate: Path | None = None) -> Iterator[str]:
    """The site's address, ``http://localhost:PORT``, or https where a certificate is given."""
    with ThreadingHTTPServer(("127.0.0.1", 0), site.handler) as server:
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        server.handle_error = lambda *_: None  # type: ignore[method-assign]  # cut on purpose
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        site.port = server.server_port
        yield f"{'http' if certificate is None else 'https'}://localhost:{server.server_port}"
        server.shutdown()
        thread.join()


def make_certificate(folder: Path) -> Path:
    """A certificate for localhost with its key, signed by itself."""
    path = folder / "localhost.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    parts = [folder / "key.pem", folder / "certificate.pem"]
    files = ["-keyout", str(parts[0]), "-out", str(parts[1])]
    subprocess.run([*command.split(), *names, *files], check=True, capture_output=True)
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    return path
