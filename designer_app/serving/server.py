"""Process of an endpoint: its server, and the task that follows the registry and the keys."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import ssl
import tempfile
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette

from designer_app.server.connections import PunctualProtocol
from designer_app.serving import sentences
from designer_app.serving.batch_queue import BatchQueue
from designer_app.serving.gate import EndpointGate
from designer_app.serving.routes import EndpointRoutes
from designer_app.serving.settings import EndpointSettings
from designer_app.serving.statistics import Statistics
from designer_app.serving.versions import Versions
from modules.artifacts import TrainedModel
from modules.operating_system.machine import num_cores
from pipelines.errors import DatabaseError, RefusedError, WorkspaceError
from pipelines.registry.caller_keys import CallerKeys
from pipelines.registry.models import ModelRegistry
from pipelines.sentences import calling
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.database.connections import Database
from pipelines.store.database.endpoints import EndpointStore

logger = logging.getLogger(__name__)

FOLLOW_SECONDS = 1.0
"""Interval in which aliases and keys are looked up."""
GRACE_SECONDS = 5
"""Time that requests have at shutdown."""
MAX_CONNECTIONS = 4096


class EndpointServer:
    """One endpoint over a workspace."""

    def __init__(self, settings: EndpointSettings) -> None:
        self.settings = settings
        self._database = Database.open(settings.workspace)
        artifacts = ArtifactStore(settings.workspace, self._database)
        self._keys = CallerKeys(self._database, settings.key_owner)
        self._store = EndpointStore(self._database)
        self._reported: Mapping[str, Any] = {}
        self._scratch = tempfile.TemporaryDirectory(prefix="designer-serve-")
        statistics = Statistics()
        registry = ModelRegistry(self._database, artifacts)
        if not settings.is_deployed:  # another model is a mistake of the command
            registered = registry.find(settings.reference)
            if not isinstance(registered.artifact, TrainedModel):
                raise RefusedError(calling.NOT_SERVABLE, model=registered.reference)
        versions = Versions(registry, settings, statistics, Path(self._scratch.name))
        self.endpoint = EndpointRoutes(
            settings,
            versions,
            BatchQueue(settings.limits.queue_pictures, statistics),
            statistics,
            ThreadPoolExecutor(max(2, num_cores()), thread_name_prefix="decode"),
        )
        self.gate = EndpointGate(self._application(), settings)
        self.gate.stored_digests = self._keys.digests()

    def _application(self) -> Starlette:
        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            tasks = [
                asyncio.create_task(self.endpoint.queue.run()),
                asyncio.create_task(self._follow()),
            ]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                self.close()

        return Starlette(routes=self.endpoint.routes(), lifespan=lifespan)

    async def _follow(self) -> None:
        """Follow the registry and the keys until cancelled; a database that is away is awaited."""
        while True:
            try:
                row = await asyncio.to_thread(self._row)
                reference = row.get("model", self.settings.reference)
                await self.endpoint.versions.follow(reference)
                await self.endpoint.versions.challenge(
                    row.get("challenger"), float(row.get("percent") or 0)
                )
                self.gate.stored_digests = await asyncio.to_thread(self._keys.digests)
                await asyncio.to_thread(self._report)
            except (DatabaseError, WorkspaceError) as error:
                logger.warning("%s", error)
            except Exception:  # requests are answered while the registry cannot be read
                logger.exception("The registry could not be read")
            await asyncio.sleep(FOLLOW_SECONDS)

    def _row(self) -> Mapping[str, Any]:
        """Return the stored settings of a deployed endpoint, which may change at any time."""
        row = self._store.get(self.settings.name) if self.settings.is_deployed else None
        return {} if row is None else row.settings

    def _report(self) -> None:
        """Store the state of a deployed endpoint for its page, if it has changed."""
        if not self.settings.is_deployed:
            return
        pids = {"pid": os.getpid(), "parent": os.getppid()}
        state = {**pids, **self.endpoint.state()}
        if state != self._reported:
            self._store.change(self.settings.name, served=state)
            self._reported = state

    def close(self) -> None:
        """Free the model, threads and connections."""
        self.endpoint.versions.close()
        self.endpoint.decoders.shutdown(wait=False, cancel_futures=True)
        self._database.close()
        self._scratch.cleanup()

    def run(self, listening: socket.socket) -> None:
        """Serve until Ctrl+C or SIGTERM."""
        server = uvicorn.Server(self._configuration())
        server.run(sockets=[listening])

    def _configuration(self) -> uvicorn.Config:
        settings = self.settings
        return uvicorn.Config(
            self.gate,
            http=PunctualProtocol.with_limits(settings.connection_limits),
            ws="none",
            lifespan="on",
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_graceful_shutdown=GRACE_SECONDS,
            ssl_certfile=settings.certificate,
            ssl_keyfile=settings.private_key,
        )


def listen_at(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 is any free one. Raises ``RefusedError``."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # without an explicit TCP protocol asyncio sets no TCP_NODELAY: 40 ms per request
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        why = error.strerror or str(error)
        raise RefusedError(sentences.PORT_TAKEN, host=host, port=port, why=why) from None
    return listening


def require_safe(settings: EndpointSettings, *, has_stored_key: bool) -> None:
    """Raise ``RefusedError`` for an address that others reach without a key and TLS."""
    has_key = bool(settings.key_digests) or has_stored_key
    has_tls = settings.certificate is not None and settings.private_key is not None
    if not settings.is_local and not (has_key and has_tls):
        raise RefusedError(sentences.NEEDS_TLS, host=settings.host)
    if settings.certificate is not None or settings.private_key is not None:
        try:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(settings.certificate or "", settings.private_key)
        except (OSError, ssl.SSLError) as error:
            why = error.strerror or str(error)
            raise RefusedError(sentences.NO_CERTIFICATE, why=why) from None
