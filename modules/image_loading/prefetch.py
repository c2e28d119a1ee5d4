"""Prefetching of the next batches while one is processed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from modules.compute.background_threads import background_pool
from modules.image_loading.datasets import ImageSource
from modules.image_loading.samplers import Indices

Batch = tuple[Indices, Any]
"""Indices of images; their pixels (N, H, W, C), or a list of (H, W, C) if sizes differ."""
Begun = deque[Future[Any]]
MOST_AHEAD = 3
"""Maximum batches read at once: while a GPU decodes one, the files of the next are read, and the
squares of the previous one are cropped.
"""


@dataclass(frozen=True)
class BatchPlan:
    """One pass over some images."""

    images: ImageSource
    batches: list[Indices]
    ahead: int
    """Number of batches read in the background ahead of use. Copying decoded images is too little
    work for that: it would only take a core from the step.
    """
    load: Callable[[ImageSource, Indices], Any] | None = None
    """Function that loads a batch of images to its destination, such as a GPU."""

    def read(self, position: int) -> Any:
        """Return the pixels of one batch, loaded."""
        if self.load is None:
            return self.images.read(self.batches[position])
        return self.load(self.images, self.batches[position])


class BatchReader:
    """Reader of pass after pass, as many batches ahead as its plan specifies.

    That also applies across the end of a pass: the first batches of the next one are read while the
    last of this one are processed. Plans are created in the background, one pass ahead.
    """

    def __init__(self, plans: Iterable[BatchPlan]) -> None:
        self._plans = iter(plans)
        self._pool = background_pool(MOST_AHEAD, "next-batch")
        self._next_plan = self._plan_next()
        self._begun: Begun = deque()

    def next_pass(self) -> Iterator[Batch]:
        """Yield the next plan's batches with their pixels; the previous pass may be unfinished."""
        plan, begun = self._next_plan.result(), self._begun
        if plan is None:
            return
        self._next_plan, self._begun = self._plan_next(), deque()
        for position, batch in enumerate(plan.batches):
            pixels = begun.popleft().result() if begun else plan.read(position)
            self._read_ahead(plan, position + 1, begun)
            yield batch, pixels

    def close(self) -> None:
        """Stop reading; return when no reads are active."""
        self._pool.shutdown(cancel_futures=True)

    def _plan_next(self) -> Future[BatchPlan | None]:
        return self._pool.submit(next, self._plans, None)

    def _read_ahead(self, plan: BatchPlan, position: int, begun: Begun) -> None:
        """Start the reads ahead of a batch, of its plan and of the next one."""
        num_left = len(plan.batches) - position
        self._begin(plan, begun, min(plan.ahead, num_left), position)
        if len(begun) < num_left:
            return
        following = self._next_plan.result()
        if following is not None:
            num = min(following.ahead - num_left, len(following.batches))
            self._begin(following, self._begun, num)

    def _begin(self, plan: BatchPlan, begun: Begun, num: int, first: int = 0) -> None:
        """Ensure that ``num`` batches from ``first`` on are started."""
        for position in range(first + len(begun), first + num):
            begun.append(self._pool.submit(plan.read, position))


def read_batches(images: ImageSource, batches: list[Indices], *, ahead: int) -> Iterator[Batch]:
    """Yield each batch of a single pass with its pixels."""
    with closing(BatchReader([BatchPlan(images, batches, ahead)])) as reader:
        yield from reader.next_pass()
