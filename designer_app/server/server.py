"""Web server: Streamlit's pages and our own routes as one ASGI app, on this machine only."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

import streamlit as st
import uvicorn
from starlette.middleware import Middleware
from starlette.routing import BaseRoute
from streamlit import config

from designer_app.api.routes import routes
from designer_app.application import Application, set_current
from designer_app.security.browser_opening import BrowserOpening
from designer_app.security.guard import Guard
from designer_app.server.camera_page import camera_route
from designer_app.server.connections import PunctualProtocol
from designer_app.server.documentation import documentation_routes
from designer_app.server.left_pages import keep_to_current_pages
from designer_app.server.page_shell import page_routes, streamlit_policy
from designer_app.settings import DEFAULT_PORT, ServerSettings
from pipelines.store.artifacts.leftovers import remove_leftovers
from pipelines.workspace import Workspace

logger = logging.getLogger(__name__)

HOST = "127.0.0.1"
MAIN_SCRIPT = Path(__file__).resolve().parents[1] / "main.py"
PORTS_TRIED = 20
GRACE_SECONDS = 2
"""Time that open streams have at shutdown; clients reconnect to the next server."""
MAX_WEBSOCKET_BYTES = 64 * 2**20
LOADED_EARLY = (
    "numpy",
    "PIL.ImageFile",
    "designer_app.screens.home",
    "designer_app.screens.design",
)
"""Modules imported at startup; Streamlit needs the first two to read an icon."""

RoutesOf = Callable[[Application], Sequence[BaseRoute]]
"""Function that returns additional routes of an application."""


class PortTakenError(OSError):
    """Requested port that another program uses."""


class OrderlyServer(uvicorn.Server):
    """Server that ends its event streams first; uvicorn would wait for them, then abort them."""

    def __init__(self, configuration: uvicorn.Config, application: Application) -> None:
        super().__init__(configuration)
        self._application = application

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._application.changes.end_streams()
        logging.getLogger("uvicorn.error").addFilter(_is_no_cancellation)
        await super().shutdown(sockets)


def _is_no_cancellation(record: logging.LogRecord) -> bool:
    """Filter out the tracebacks of requests that are aborted after the grace period."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


def build(application: Application, more_routes: RoutesOf | None = None) -> st.App:
    """Build the ASGI app of an application; ``config.toml`` configures Streamlit.

    ``more_routes`` precede the routes of the pages, behind the same guard.
    """

    @asynccontextmanager
    async def lifespan(_app: st.App) -> AsyncIterator[None]:
        begun = asyncio.create_task(asyncio.to_thread(_load_screens))
        tidied = asyncio.create_task(asyncio.to_thread(_tidy, application.settings.workspace))
        application.runner_watch.start()
        yield
        try:
            await begun
            await tidied
        finally:
            application.close()

    set_current(application)
    keep_to_current_pages()
    app = st.App(
        MAIN_SCRIPT,
        routes=[
            *routes(application),
            *(more_routes(application) if more_routes else ()),
            *documentation_routes(),
            camera_route(application.credentials.page_token),
            *page_routes(application.credentials.page_token),
        ],
        middleware=[
            Middleware(
                Guard,
                credentials=application.credentials,
                settings=application.settings,
                policy=streamlit_policy(),
                callers=application.caller_has_key,
            )
        ],
        lifespan=lifespan,
    )
    # Only now: after the app is created, Streamlit reads the file next to `main.py` on demand.
    config.set_option("server.port", application.settings.port)
    return app


def _load_screens() -> None:
    """Import the modules of the first visit while the browser loads Streamlit's scripts."""
    for name in LOADED_EARLY:
        import_module(name)


def _tidy(workspace: Workspace) -> None:
    """Remove leftovers of killed processes from the workspace, such as uploads of many GB."""
    try:
        remove_leftovers(workspace)
    except Exception:  # the app works without it
        logger.exception("Temporary files of killed processes could not be removed")


def serve(
    workspace: Workspace,
    port: int | None = None,
    *,
    open_browser: bool = True,
    more_routes: RoutesOf | None = None,
) -> None:
    """Serve a workspace until Ctrl+C or SIGTERM; raises ``PortTakenError``.

    Args:
        workspace: Served to its owner alone.
        port: The default, or the first free one after it, if None.
        open_browser: Open the address in the browser of this machine.
        more_routes: Routes that a caller adds to those of the app.
    """
    listening = listen(port)
    settings = ServerSettings(workspace, port=listening.getsockname()[1])
    application = Application(settings)
    configuration = _configuration(build(application, more_routes), settings)
    server = OrderlyServer(configuration, application)
    address = f"http://{HOST}:{settings.port}/?code={application.credentials.code}"
    _print_addresses(address, settings)
    opening = BrowserOpening(workspace.root, application.credentials.entered)
    if open_browser:
        opening.start(address)
    signal.signal(signal.SIGTERM, _exit_in_order)
    gc.collect()
    # exclude loaded objects from garbage collection: scanning them took a third of a commit's time
    gc.freeze()
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        opening.close()
        listening.close()
    print("Pipeline Designer has stopped. Active runs continue.", flush=True)


def _print_addresses(address: str, settings: ServerSettings) -> None:
    """Print the addresses with the sign-in code: only to the terminal, never to the log."""
    print(f"Pipeline Designer: {address}", flush=True)
    print(f"  Workspace {settings.workspace.root}; Ctrl+C ends it.", flush=True)
    for host in settings.more_hosts:
        code = address.partition("/?")[2]
        print(f"  Behind the proxy at {host}: add /?{code} to its address.", flush=True)


def listen(port: int | None) -> socket.socket:
    """Return a socket on this machine: at ``port``, otherwise at the first free port."""
    wanted = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED), 0]
    for candidate in wanted:
        # asyncio sets TCP_NODELAY only on sockets with an explicit TCP protocol; without it every
        # response body waits for the acknowledgement of its head, 40 ms per request
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((HOST, candidate))
            listening.listen(2048)
        except OSError:
            listening.close()
        else:
            listening.set_inheritable(False)
            return listening
    raise PortTakenError(f"Port {port} is in use. Choose another with --port, or omit it.")


def _configuration(app: st.App, settings: ServerSettings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=PunctualProtocol.with_limits(settings.connection_limits),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MAX_WEBSOCKET_BYTES,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _exit_in_order(*_: object) -> None:
    """Exit without a traceback: uvicorn raises the signal again after the shutdown."""
    sys.exit(0)
