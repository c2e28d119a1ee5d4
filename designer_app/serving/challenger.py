"""A second version next to the current one: it answers a share of the requests, or only compares.

Each request is scored by both versions, the second time in the background and only while the queue
is less than half full, so that the comparison delays no caller.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from designer_app.serving.batch_queue import BatchQueue
from designer_app.serving.served_model import ServedModel
from modules.errors import ModuleError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from designer_app.serving.served_model import Pixels
    from pipelines.store.database.endpoints import ChallengerReport

logger = logging.getLogger(__name__)

MOST_WAITING = 32
"""Comparisons at a time; others are left out."""


@dataclass
class LabelAgreement:
    """Numbers of images that both versions have scored, and that got the same label."""

    compared: int = 0
    agreed: int = 0

    @property
    def agreement(self) -> float | None:
        return self.agreed / self.compared if self.compared else None


class Challenger:
    """The second version of an endpoint."""

    def __init__(self, model: ServedModel, percent: float, max_pixels: int) -> None:
        self.model = model
        self.percent = percent
        """Share of the requests that it answers; 0: it only compares (shadow)."""
        self.answered = 0
        self.comparison = LabelAgreement()
        self._max_pixels = max_pixels
        self._waiting: set[asyncio.Task[None]] = set()

    def is_chosen(self) -> bool:
        """Return True if it is to answer the next request."""
        return random.random() * 100 < self.percent

    def compare(
        self,
        other: ServedModel,
        files: Sequence[bytes],
        labels: Sequence[str],
        queue: BatchQueue,
        decoders: ThreadPoolExecutor,
    ) -> None:
        """Score the images of a request, which was answered with labels, by ``other`` too."""
        if len(self._waiting) < MOST_WAITING and queue.has_room(len(files)):
            work = self._compare(other, list(files), list(labels), queue, decoders)
            task = asyncio.create_task(work)
            self._waiting.add(task)
            task.add_done_callback(self._waiting.discard)

    async def _compare(
        self,
        other: ServedModel,
        files: list[bytes],
        labels: list[str],
        queue: BatchQueue,
        decoders: ThreadPoolExecutor,
    ) -> None:
        loop, limit = asyncio.get_running_loop(), self._max_pixels

        def decode(content: bytes) -> Pixels:
            return other.scorer.pixels(content, max_pixels=limit)

        other.in_flight += 1
        try:
            with queue.admitted(len(files)):
                decoding = (loop.run_in_executor(decoders, decode, content) for content in files)
                scores_NK = await queue.score(other, await asyncio.gather(*decoding))
            others = [other.scorer.classes[index] for index in scores_NK.argmax(axis=1)]
        except ModuleError:  # the other version needs images of another size
            others = []
        except Exception:  # a comparison never disturbs the version that answers
            logger.exception("A comparison failed")
            return
        finally:
            other.in_flight -= 1
        self.comparison.compared += len(files)
        self.comparison.agreed += sum(map(str.__eq__, others, labels))

    @property
    def report(self) -> ChallengerReport:
        """Return the state for pages and programs."""
        agreement = self.comparison.agreement
        return {
            "model": self.model.reference,
            "percent": self.percent,
            "answered": self.answered,
            "compared": self.comparison.compared,
            "agreement": None if agreement is None else round(agreement, 4),
        }

    def stop(self) -> None:
        """Stop comparing."""
        for task in self._waiting:
            task.cancel()
