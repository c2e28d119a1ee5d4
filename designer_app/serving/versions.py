"""The served version: loaded, checked and replaced without a failed request."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from designer_app.errors import ApiError
from designer_app.serving import sentences
from designer_app.serving.challenger import Challenger
from designer_app.serving.golden_images import GoldenImages
from designer_app.serving.served_model import ServedModel
from designer_app.serving.settings import EndpointSettings
from designer_app.serving.statistics import Statistics
from modules.errors import ModuleError
from modules.sentences.sentence import Statement
from pipelines.errors import DesignerError, RefusedError
from pipelines.registry.models import ModelRegistry
from pipelines.sentences import calling

logger = logging.getLogger(__name__)


class Versions:
    """The current version of an endpoint and the one before it."""

    def __init__(
        self,
        registry: ModelRegistry,
        settings: EndpointSettings,
        statistics: Statistics,
        scratch: Path,
    ) -> None:
        self._registry = registry
        self._settings = settings
        self._statistics = statistics
        self._scratch = scratch
        self._golden = None if settings.golden is None else GoldenImages(settings.golden)
        self._swapping = asyncio.Lock()
        self._closing: set[asyncio.Task[None]] = set()
        self._seen: str | None = None
        self.settled = asyncio.Event()
        """Set once the first version is loaded, or cannot be."""
        self.current: ServedModel | None = None
        self.challenger: Challenger | None = None
        self._challenge: tuple[str, float] | None = None
        self.previous: str | None = None
        """Reference of the version that was served before."""
        self.problem: Statement | str | None = None
        """Reason why no version is served, or why the last swap was rejected."""

    @contextmanager
    def in_use(self) -> Iterator[ServedModel]:
        """Yield the current version, which stays in memory for the block; raises ``ApiError``."""
        model = self.current
        if model is None:
            raise self._unavailable()
        model.in_flight += 1
        try:
            yield model
        finally:
            model.in_flight -= 1

    def _unavailable(self) -> ApiError:
        if self.problem is None:
            return ApiError(503, "loading", sentences.ENDPOINT_LOADING)
        return ApiError(503, "not_ready", sentences.ENDPOINT_BROKEN, why=str(self.problem))

    @property
    def damage(self) -> Statement | None:
        """Return why the endpoint is not ready; None if it is."""
        if self.current is None:
            error = self._unavailable()
            return error.told.statement if isinstance(error.told, DesignerError) else None
        if not self.current.is_unchanged:
            why = calling.MODEL_FILES_CHANGED.about({"model": self.current.reference})
            return sentences.ENDPOINT_BROKEN.about({"why": why})
        return None

    async def follow(self, reference: str) -> None:
        """Serve the version that a reference means now; a rejected one is not tried again."""
        try:
            wanted = await asyncio.to_thread(self._registry.find, reference)
        except (DesignerError, ModuleError) as error:
            if self.current is None:
                self.problem = str(error)
                self.settled.set()
            return
        if wanted.reference == self._seen:
            return
        self._seen = wanted.reference
        try:
            await self.swap(wanted.reference)
        except (DesignerError, ModuleError) as error:
            logger.warning("%s is not served: %s", wanted.reference, error)
        self.settled.set()

    async def challenge(self, reference: str | None, percent: float) -> None:
        """Load a second version for a share of the requests, or remove it with None."""
        wanted = None if reference is None else (reference, percent)
        if wanted == self._challenge:
            return
        self._challenge = wanted
        before, self.challenger = self.challenger, None
        if before is not None:
            task = asyncio.create_task(self._close_later(before.model, before.stop))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        if reference is None:
            return
        try:
            model = await self._checked(reference)
        except (DesignerError, ModuleError) as error:
            self.problem = str(error)
            logger.warning("%s is not compared: %s", reference, error)
        else:
            model.start_runtime_change(self._settings.workspace.cache_dir)
            self.challenger = Challenger(model, percent, self._settings.limits.max_pixels)

    def chosen(self, current: ServedModel) -> tuple[ServedModel, ServedModel | None]:
        """Return the version that answers the next request, and the one to compare it with."""
        challenger = self.challenger
        if challenger is None:
            return current, None
        if challenger.is_chosen():
            challenger.answered += 1
            return challenger.model, current
        return current, challenger.model

    async def swap(self, reference: str) -> ServedModel:
        """Load another version, check it on the golden images, then replace the current one.

        If it fails, the current one stays; the error says why.
        """
        async with self._swapping:
            try:
                model = await self._checked(reference)
            except (DesignerError, ModuleError) as error:
                self.problem = str(error)
                raise
            except Exception as error:  # torch raises anything for a damaged model
                logger.exception("%s could not be loaded", reference)
                self.problem = f"{type(error).__name__}: {str(error)[:200]}"
                raise RefusedError(calling.NOT_LOADED, model=reference, why=self.problem) from error
            self._replace(model)
            return model

    async def rollback(self) -> ServedModel:
        """Return to the version that was served before."""
        if self.previous is None:
            raise RefusedError(calling.NO_EARLIER_VERSION)
        return await self.swap(self.previous)

    async def _checked(self, reference: str) -> ServedModel:
        registered = await asyncio.to_thread(self._registry.find, reference)
        model = await ServedModel.load(registered, self._scratch)
        try:
            if self._golden is not None:
                await self._golden.require_as_good(model, self.current)
        except BaseException:
            model.close()
            raise
        return model

    def _replace(self, model: ServedModel) -> None:
        before, self.current, self.problem = self.current, model, None
        model.start_runtime_change(self._settings.workspace.cache_dir)
        if before is not None:
            self.previous = before.reference
            self._statistics.num_swaps += 1
            task = asyncio.create_task(self._close_later(before))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        logger.info("Serving %s", model.reference)

    async def _close_later(
        self, model: ServedModel, stop: Callable[[], None] = lambda: None
    ) -> None:
        await asyncio.sleep(self._settings.limits.kept_seconds)
        stop()
        while model.in_flight:
            await asyncio.sleep(0.1)
        model.close()

    def close(self) -> None:
        """Free the current version."""
        for task in self._closing:
            task.cancel()
        if self.challenger is not None:
            self.challenger.stop()
            self.challenger.model.close()
        if self.current is not None:
            self.current.close()
