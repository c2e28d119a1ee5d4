"""Bounded queue of pictures: what waits while a batch is computed is the next batch.

No timer delays a picture: a lone request is scored at once, and under load batches grow.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from designer_app.errors import ApiError
from designer_app.serving import sentences
from designer_app.serving.served_model import ServedModel
from designer_app.serving.statistics import Statistics

if TYPE_CHECKING:
    from designer_app.serving.served_model import Floats, Pixels


@dataclass(frozen=True)
class ScoringRequest:
    """Pictures of one request, which are scored together by the model they were decoded for."""

    model: ServedModel
    pictures: Sequence[Pixels]
    future: asyncio.Future[Floats]


class BatchQueue:
    """Queue and loop of one endpoint; all methods are called in its event loop."""

    def __init__(self, limit: int, statistics: Statistics) -> None:
        self._limit = limit
        self._statistics = statistics
        self._jobs: deque[ScoringRequest] = deque()
        self._filled = asyncio.Event()
        self.num_admitted = 0
        """Pictures that are decoded, wait or are scored."""

    @contextmanager
    def admitted(self, num_pictures: int) -> Iterator[None]:
        """Hold places for the pictures of a request; raises ``ApiError`` (503) if it is full."""
        if self.num_admitted + num_pictures > self._limit:
            raise busy()
        self.num_admitted += num_pictures
        try:
            yield
        finally:
            self.num_admitted -= num_pictures

    def has_room(self, num_pictures: int) -> bool:
        """Return True if work that nobody waits for fits into the lower half of the queue."""
        return self.num_admitted + num_pictures <= self._limit // 2

    async def score(self, model: ServedModel, pictures: Sequence[Pixels]) -> Floats:
        """Return the probabilities (N, K); a caller that is cancelled leaves the queue."""
        future: asyncio.Future[Floats] = asyncio.get_running_loop().create_future()
        self._jobs.append(ScoringRequest(model, pictures, future))
        self._filled.set()
        return await future

    async def run(self) -> None:
        """Score batches until cancelled."""
        while True:
            await self._filled.wait()
            batch = self._next_batch()
            if batch:
                await self._score(batch)

    def _next_batch(self) -> list[ScoringRequest]:
        """Return the next jobs of one model, as many pictures as it scores at once."""
        batch: list[ScoringRequest] = []
        num_pictures = 0
        while self._jobs:
            job = self._jobs[0]
            if job.future.done():  # its caller has left
                self._jobs.popleft()
                continue
            is_other = bool(batch) and batch[0].model is not job.model
            is_full = num_pictures + len(job.pictures) > job.model.scorer.batch_size
            if batch and (is_other or is_full):
                return batch
            batch.append(self._jobs.popleft())
            num_pictures += len(job.pictures)
        self._filled.clear()
        return batch

    async def _score(self, batch: Sequence[ScoringRequest]) -> None:
        pictures = [picture for job in batch for picture in job.pictures]
        began = time.perf_counter()
        try:
            probabilities_NK = await batch[0].model.probabilities(pictures)
        except Exception as error:  # the callers report it; the queue continues
            for job in batch:
                if not job.future.done():
                    job.future.set_exception(error)
            return
        self._statistics.add_batch(len(pictures), time.perf_counter() - began)
        start = 0
        for job in batch:
            end = start + len(job.pictures)
            if not job.future.done():
                job.future.set_result(probabilities_NK[start:end])
            start = end


def busy() -> ApiError:
    """Return the response of a full queue."""
    return ApiError(503, "busy", sentences.ENDPOINT_BUSY)
