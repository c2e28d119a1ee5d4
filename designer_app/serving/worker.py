"""A deployed endpoint's processes: one that has imported everything, and a fork of it that serves.

The parent holds the listening socket. If the worker is killed, callers wait in the socket's queue
while the next worker is forked and loads the model, without the seconds of importing torch.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from designer_app.serving.settings import EndpointSettings
from modules.operating_system.forking import can_fork
from modules.operating_system.worker_process import start_worker, wait_for_worker

PRELOADED = (
    "torch",
    "torchvision",
    "alembic.config",
    "designer_app.serving.server",
    "modules.scoring.score_image_model",
    "modules.scoring.inference",
    "modules.models.serialization",
    "modules.transforms.batch_transform",
)
"""Imports only: nothing is computed before the fork, so that no thread is lost by it."""
STEADY_SECONDS = 10.0
"""Lifetime below which a worker is not replaced: its keeper then waits before it starts again."""


@dataclass
class _Parent:
    """State of the parent that its signal handler changes."""

    child: int = 0
    stopping: bool = False

    def stop(self, *_: object) -> None:
        self.stopping = True
        if self.child:
            os.kill(self.child, signal.SIGTERM)


def serve_with_spare(
    settings: EndpointSettings,
    listening: socket.socket,
    serve: Callable[[EndpointSettings, socket.socket], None],
) -> None:
    """Serve in a fork, and in another one when it ends unexpectedly; exits with its code.

    On systems that cannot fork, this process serves itself.
    """
    if not can_fork():
        serve(settings, listening)
        return
    for name in PRELOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    parent = _Parent()
    signal.signal(signal.SIGTERM, parent.stop)
    signal.signal(signal.SIGINT, parent.stop)
    while not parent.stopping:
        started = time.monotonic()
        parent.child = start_worker(lambda: serve(settings, listening))
        code = wait_for_worker(parent.child)
        parent.child = 0
        if not parent.stopping:
            print(f"The endpoint's worker ended with code {code}.", file=sys.stderr, flush=True)
        if time.monotonic() - started < STEADY_SECONDS and not parent.stopping:
            sys.exit(abs(code) or 1)
