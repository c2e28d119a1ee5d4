"""One version of a model in memory, and the thread that computes with it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from designer_app.serving.runtime_change import RuntimeChange
from modules.artifacts import TrainedModel
from modules.context import Context
from modules.scoring.picture_scoring import PictureScorer, open_picture_scorer
from pipelines.errors import RefusedError
from pipelines.registry.models import RegisteredVersion
from pipelines.sentences import calling

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Pixels = npt.NDArray[np.uint8]


class ServedModel:
    """A loaded version. Requests that were decoded for it are scored by it, even after a swap."""

    def __init__(self, registered: RegisteredVersion, scorer: PictureScorer) -> None:
        self.reference = registered.reference
        self.name = registered.model.name
        self.version = registered.version.version
        self.scorer = scorer
        self.loaded = time.time()
        self.in_flight = 0
        """Requests that hold the version in memory."""
        self._stack = ExitStack()
        self._thread: ThreadPoolExecutor | None = None
        assert isinstance(registered.artifact, TrainedModel)
        self.runtime = RuntimeChange(registered.artifact, scorer)
        self._weights = Path(registered.artifact.path) / "model.safetensors"
        self._stat = _stat(self._weights)

    @classmethod
    async def load(cls, registered: RegisteredVersion, scratch: Path) -> ServedModel:
        """Load a version and score one blank picture, without which the first request would wait.

        Raises ``RefusedError`` for a model of a script or one that returns no numbers, and errors
        of modules for damaged files.
        """
        artifact = registered.artifact
        if not isinstance(artifact, TrainedModel):
            raise RefusedError(calling.NOT_SERVABLE, model=registered.reference)
        thread = ThreadPoolExecutor(1, thread_name_prefix=f"score-{registered.version.version}")
        stack = ExitStack()

        def open_scorer() -> PictureScorer:
            return stack.enter_context(open_picture_scorer(artifact, Context(scratch)))

        loop = asyncio.get_running_loop()
        try:
            scorer = await loop.run_in_executor(thread, open_scorer)
            model = cls(registered, scorer)
            model._stack, model._thread = stack, thread
            probabilities_NK = await model.probabilities([_blank(scorer)])
        except BaseException:
            thread.submit(stack.close)
            thread.shutdown(wait=False)
            raise
        if not _are_probabilities(probabilities_NK):
            model.close()
            raise RefusedError(calling.NOT_FINITE, model=registered.reference)
        return model

    async def probabilities(self, pictures: Sequence[Pixels]) -> Floats:
        """Return the probabilities of pictures as one batch, shape (N, K)."""
        assert self._thread is not None
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self.scorer.probabilities, pictures)

    def start_runtime_change(self, cache_dir: Path) -> None:
        """Change to the fastest runtime in the background, which other processes share there."""
        assert self._thread is not None
        self.runtime.start(self._thread, cache_dir)

    @property
    def is_unchanged(self) -> bool:
        """Return False once the file of its weights is gone or another one."""
        return self._stat is not None and _stat(self._weights) == self._stat

    def close(self) -> None:
        """Free the memory after what is being computed."""
        self.runtime.stop()
        if self._thread is not None:
            self._thread.submit(self._stack.close)
            self._thread.shutdown(wait=False)
            self._thread = None


def _stat(path: Path) -> tuple[int, int, int] | None:
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _blank(scorer: PictureScorer) -> Pixels:
    import numpy as np

    return np.full((*scorer.size, 3), 128, np.uint8)


def _are_probabilities(values_NK: Floats) -> bool:
    import numpy as np

    return bool(np.isfinite(values_NK).all() and np.allclose(values_NK.sum(axis=1), 1, atol=1e-3))
