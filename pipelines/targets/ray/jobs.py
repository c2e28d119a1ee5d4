"""Client of a Ray cluster's Jobs API: this machine needs no Ray.

Proxies and redirects are not used: the token is for this address only.
"""

from __future__ import annotations

import json
import os
import re
import socket
import stat
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from modules.files.json_files import JsonObject
from pipelines.errors import RefusedError
from pipelines.sentences import ray as say
from pipelines.targets.engine import AccessRefusedError, EngineSilentError

RESPONSE_TIMEOUT_SECONDS = 20.0
MOST_BYTES = 4 * 2**20
MOST_TOKEN_BYTES = 8192
TOKEN = re.compile(r"[\x21-\x7e]+")
OK, NOT_FOUND = 200, 404
DENIED = (401, 403)


class RayJobs:
    """Jobs by the designer's names.

    Every call raises ``EngineSilentError`` if Ray does not respond, and ``RefusedError`` for an
    unreadable or rejected token and for an address that is not Ray's.
    """

    def __init__(self, address: str, token_file: str | None) -> None:
        self._address = address
        self._token_file = token_file

    def version(self) -> str:
        """Return the version of the cluster's Ray."""
        answer = self._json("GET", "/api/version")
        if "ray_version" not in answer:
            raise RefusedError(say.NOT_RAY, address=self._address)
        return str(answer["ray_version"])

    def submit(self, name: str, command: str) -> None:
        """Run a command on the head node; an existing job of that name is taken as the same."""
        body = {"submission_id": name, "entrypoint": command}
        status, text = self._ask("POST", "/api/jobs/", body)
        if status == 200 or "already exists" in text:
            return
        if "try again" in text:
            raise EngineSilentError(text[-300:])
        raise RefusedError(say.REFUSES_JOB, why=last_line(text))

    def keep(self, name: str, content: bytes) -> str:
        """Store data in Ray's memory; return its name there.

        Unlike a job's settings, it is then in no log, list of jobs or process.
        """
        path = f"gcs/_ray_pkg_{name}.zip"
        status, text = self._ask("PUT", f"/api/packages/{path}", content)
        if status != OK:
            raise EngineSilentError(text[-300:])
        return path.replace("/", "://", 1)

    def forget(self, name: str) -> None:
        """Remove what Ray keeps by that name from here; only its jobs can remove the rest."""
        self.keep(name, b"")

    def printed(self, name: str) -> str:
        """Return the output of a job."""
        status, text = self._ask("GET", f"/api/jobs/{name}/logs")
        return str(self._parsed(status, text).get("logs") or "") if status == OK else ""

    def find(self, name: str) -> JsonObject | None:
        """Return what Ray knows of a job; None if it does not know the name."""
        status, text = self._ask("GET", f"/api/jobs/{name}")
        return None if status == NOT_FOUND else self._parsed(status, text)

    def stop(self, name: str) -> None:
        """Stop a job; no effect if there is none or it has ended."""
        self._ask("POST", f"/api/jobs/{name}/stop")

    def _json(self, method: str, path: str) -> JsonObject:
        return self._parsed(*self._ask(method, path))

    def _parsed(self, status: int, text: str) -> JsonObject:
        if status >= 500:
            raise EngineSilentError(text[-300:])
        try:
            answer = json.loads(text) if status == 200 else None
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise RefusedError(say.NOT_RAY, address=self._address)
        return answer

    def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | bytes | None = None
    ) -> tuple[int, str]:
        headers = {"Content-Type": "application/json", **self._authorization()}
        parts = urlsplit(self._address)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        try:
            with closing(
                kind(str(parts.hostname), parts.port, timeout=RESPONSE_TIMEOUT_SECONDS)
            ) as opened:
                content = json.dumps(body) if isinstance(body, Mapping) else body
                opened.request(method, parts.path + path, content, headers)
                with closing(opened.getresponse()) as answer:
                    status, text = answer.status, answer.read(MOST_BYTES).decode(errors="replace")
        except socket.gaierror as error:
            if error.errno == socket.EAI_NONAME:
                raise RefusedError(say.HOST_UNKNOWN, address=self._address) from None
            raise EngineSilentError(str(error)) from None
        except (OSError, HTTPException) as error:
            raise EngineSilentError(str(error)) from None
        if status in DENIED:
            refusal = say.TOKEN_REFUSED if self._token_file else say.TOKEN_MISSING
            raise AccessRefusedError(refusal, address=self._address, path=self._token_file)
        return status, text

    def _authorization(self) -> dict[str, str]:
        path = self._token_file
        return {} if path is None else {"Authorization": f"Bearer {read_token(path)}"}


def read_token(path: str) -> str:
    """Return the token in a file.

    Raises ``RefusedError`` if it has none or other users can read it.
    """
    try:
        with open(path, "rb") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise AccessRefusedError(say.TOKEN_FILE_OPEN, path=path)
            text = file.read(MOST_TOKEN_BYTES).decode("ascii", errors="replace").strip()
    except OSError as error:
        raise AccessRefusedError(
            say.NO_TOKEN_FILE, path=path, why=error.strerror or error
        ) from None
    if TOKEN.fullmatch(text) is None:
        raise AccessRefusedError(say.TOKEN_FILE_ODD, path=path)
    return text


def last_line(output: str) -> str:
    """Return the last line of a program's output."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1][-300:].rstrip(".") if lines else "no reason given"
