"""Addresses of an endpoint."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from designer_app.api.errors import translated
from designer_app.errors import ApiError
from designer_app.responses import answer
from designer_app.serving import kserve, sentences
from designer_app.serving.batch_queue import BatchQueue
from designer_app.serving.openapi import openapi
from designer_app.serving.request_pictures import parsed_json, read_pictures, require_some
from designer_app.serving.settings import EndpointSettings
from designer_app.serving.statistics import RequestRecord, Statistics, drift, prometheus_text
from designer_app.serving.trial_page import page_routes
from designer_app.serving.versions import Versions
from modules.sentences.sentence import Facts

if TYPE_CHECKING:
    from designer_app.serving.served_model import Floats, Pixels, ServedModel
    from pipelines.store.database.endpoints import EndpointReport

logger = logging.getLogger(__name__)

T = TypeVar("T")
CLIENT_LEFT = 499
"""Status in the log of a caller that left before the answer, as in nginx."""


@dataclass
class EndpointRoutes:
    """Parts of a running endpoint."""

    settings: EndpointSettings
    versions: Versions
    queue: BatchQueue
    statistics: Statistics
    decoders: ThreadPoolExecutor

    def routes(self) -> list[BaseRoute]:
        """Return the addresses."""
        get, post, versioned = ["GET"], ["POST"], "/v2/models/{model}/versions/{version}"
        return [
            *page_routes(self.settings.name),
            Route("/score", self._logged(self._score), methods=post),
            Route("/v2/models/{model}/infer", self._logged(self._infer), methods=post),
            Route(f"{versioned}/infer", self._logged(self._infer), methods=post),
            Route("/v2", self._server, methods=get),
            Route("/v2/models/{model}", self._metadata, methods=get),
            Route("/v2/models/{model}/ready", self._ready, methods=get),
            Route("/health/live", self._live, methods=get),
            Route("/v2/health/live", self._live, methods=get),
            Route("/health/ready", self._ready, methods=get),
            Route("/v2/health/ready", self._ready, methods=get),
            Route("/metrics", self._metrics, methods=get),
            Route("/openapi.json", self._openapi, methods=get),
            Route("/status", self._status, methods=get),
            Route("/log", self._log, methods=get),
            Route("/swap", self._answered(self._swap), methods=post),
            Route("/rollback", self._answered(self._rollback), methods=post),
            Route("/{rest:path}", self._unknown, methods=[*get, *post, "PUT", "DELETE", "PATCH"]),
        ]

    # scoring

    async def _score(self, request: Request) -> tuple[Response, RequestRecord]:
        began = time.perf_counter()
        sent = await read_pictures(request, self.settings.limits)
        model, probabilities_NK = await self._scored(request, sent.files)
        milliseconds = round(1000 * (time.perf_counter() - began), 3)
        predictions = [_prediction(model, row_K) for row_K in probabilities_NK]
        content = {"predictions": predictions} if sent.as_list else predictions[0]
        entry = _entry(model, probabilities_NK, milliseconds, sent.files)
        return answer({**content, "model": model.reference, "milliseconds": milliseconds}), entry

    async def _infer(self, request: Request) -> tuple[Response, RequestRecord]:
        began = time.perf_counter()
        files, request_id = kserve.files_of(await request.body(), request.headers)
        require_some(files, self.settings.limits)
        self._require_model(request)
        model, probabilities_NK = await self._scored(request, files)
        milliseconds = round(1000 * (time.perf_counter() - began), 3)
        content = kserve.answer_of(model, probabilities_NK, request_id)
        return answer(content), _entry(model, probabilities_NK, milliseconds, files)

    async def _scored(self, request: Request, files: list[bytes]) -> tuple[ServedModel, Floats]:
        """Return the probabilities of pictures; raises ``ApiError`` or errors of modules."""
        seconds = self.settings.limits.deadline_seconds
        with self.queue.admitted(len(files)):
            try:
                async with asyncio.timeout(seconds):
                    await self.versions.settled.wait()  # a process that has just started loads it
                    with self.versions.in_use() as current:
                        model, other = self.versions.chosen(current)
                        work = self._probabilities(model, files)
                        probabilities_NK = await _unless_left(request, work)
                        if other is not None:
                            self._compare(other, files, _labels(model, probabilities_NK))
                        return model, probabilities_NK
            except TimeoutError:
                facts: Facts = {"seconds": seconds}
                raise ApiError(504, "timed_out", sentences.ENDPOINT_TIMED_OUT, **facts) from None

    def _compare(self, other: ServedModel, files: list[bytes], labels: list[str]) -> None:
        challenger = self.versions.challenger
        if challenger is not None:
            challenger.compare(other, files, labels, self.queue, self.decoders)

    async def _probabilities(self, model: ServedModel, files: list[bytes]) -> Floats:
        return await self.queue.score(model, await self._decoded(model, files))

    async def _decoded(self, model: ServedModel, files: list[bytes]) -> list[Pixels]:
        loop, limit = asyncio.get_running_loop(), self.settings.limits.max_pixels

        def decode(content: bytes) -> Pixels:
            return model.scorer.pixels(content, max_pixels=limit)

        return list(
            await asyncio.gather(
                *(loop.run_in_executor(self.decoders, decode, content) for content in files)
            )
        )

    def _require_model(self, request: Request) -> None:
        model = self.versions.current
        name, version = request.path_params.get("model"), request.path_params.get("version")
        if model is None:
            return
        if name != model.name or version not in (None, str(model.version)):
            facts: Facts = {"served": model.reference, "model": f"{name}"[:200]}
            raise ApiError(404, "other_model", sentences.OTHER_MODEL, **facts)

    # state

    async def _live(self, _request: Request) -> Response:
        return answer({"live": True})

    async def _ready(self, _request: Request) -> Response:
        damage = self.versions.damage
        model = self.versions.current
        content = {
            "ready": damage is None,
            "model": model.reference if model else None,
            "reason": str(damage) if damage else None,
        }
        return answer(content, 200 if damage is None else 503)

    async def _metrics(self, _request: Request) -> Response:
        model = self.versions.current
        text = prometheus_text(
            self.statistics,
            self.queue.num_admitted,
            model.reference if model else None,
            model.runtime.report["name"] if model else None,
            self.versions.damage is None,
        )
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    async def _openapi(self, _request: Request) -> Response:
        return answer(openapi(self.settings))

    async def _server(self, _request: Request) -> Response:
        extensions = ["binary_tensor_data"]
        return answer({"name": "pipeline-designer", "version": "2", "extensions": extensions})

    async def _metadata(self, request: Request) -> Response:
        try:
            self._require_model(request)
            with self.versions.in_use() as model:
                return answer(kserve.metadata_of(model))
        except ApiError as refusal:
            return answer(refusal.body, refusal.status)

    async def _status(self, _request: Request) -> Response:
        return answer(self.state())

    def state(self) -> EndpointReport:
        """Return the served version, counters and drift, as JSON."""
        model, damage = self.versions.current, self.versions.damage
        counts = model.scorer.class_counts if model else {}
        problem, challenger = self.versions.problem, self.versions.challenger
        return {
            "endpoint": self.settings.name,
            "follows": self.settings.reference,
            "model": model.reference if model else None,
            "loaded": model.loaded if model else None,
            "runtime": model.runtime.report if model else None,
            "previous": self.versions.previous,
            "ready": damage is None,
            "reason": str(damage) if damage else None,
            "last_problem": None if problem is None else str(problem),
            "challenger": challenger.report if challenger else None,
            "queue": self.queue.num_admitted,
            "classes": list(model.scorer.classes) if model else [],
            "training_labels": counts,
            "drift": drift(self.statistics.labels, counts),
            **self.statistics.counters,
        }

    async def _log(self, request: Request) -> Response:
        limit = request.query_params.get("limit", "100")
        number = int(limit) if limit.isdecimal() and len(limit) < 6 else 100
        return answer({"requests": self.statistics.newest_log(number)})

    # versions

    async def _swap(self, request: Request) -> Response:
        """Serve another version. JSON, which pages of other sites cannot send, is required."""
        body = parsed_json(await request.body())
        reference = body.get("model") if isinstance(body, dict) else None
        if not isinstance(reference, str):
            raise ApiError(400, "bad_json", sentences.BODY_JSON, why="model is expected")
        return answer({"model": (await self.versions.swap(reference)).reference})

    async def _rollback(self, _request: Request) -> Response:
        return answer({"model": (await self.versions.rollback()).reference})

    async def _unknown(self, request: Request) -> Response:
        facts: Facts = {"method": request.method, "path": request.url.path[:200]}
        refusal = ApiError(404, "not_found", sentences.ENDPOINT_ROUTE, **facts)
        return answer(refusal.body, refusal.status)

    # errors

    def _logged(
        self, handler: Callable[[Request], Awaitable[tuple[Response, RequestRecord]]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return a handler whose requests are counted and logged, also rejected ones."""

        async def handle(request: Request) -> Response:
            began = time.perf_counter()
            try:
                response, entry = await handler(request)
            except Exception as error:  # every failure is counted and answered
                milliseconds = round(1000 * (time.perf_counter() - began), 3)
                if isinstance(error, ClientDisconnect):
                    self.statistics.num_left += 1
                    self._count(CLIENT_LEFT, milliseconds, request, "client_left")
                    raise
                refusal = _refusal(error)
                self._count(refusal.status, milliseconds, request, refusal.code)
                return self._refused(refusal)
            self.statistics.add_request(entry)
            return response

        return handle

    def _count(self, status: int, milliseconds: float, request: Request, error: str) -> None:
        length = request.headers.get("content-length", "0")
        num_bytes = int(length) if length.isdecimal() else 0
        entry = RequestRecord(time.time(), status, milliseconds, 0, num_bytes, error=error)
        self.statistics.add_request(entry)

    def _refused(self, refusal: ApiError) -> Response:
        fields: dict[str, str] = {}
        if refusal.status == 503:
            fields["Retry-After"] = str(self.settings.limits.retry_after_seconds)
        if refusal.status in (413, 503):
            fields["Connection"] = "close"  # the rest of a rejected body is not read
        return answer(refusal.body, refusal.status, fields)

    def _answered(
        self, handler: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            try:
                return await handler(request)
            except ClientDisconnect:
                raise
            except Exception as error:  # every failure is answered with its reason
                return self._refused(_refusal(error))

        return handle


def _refusal(error: Exception) -> ApiError:
    """Return the response to an error."""
    refusal = translated(error)
    if refusal.status != 500:
        return refusal
    logger.error("A request failed", exc_info=error)
    why = f"{type(error).__name__}: {str(error)[:200]}"
    return ApiError(500, "failed", sentences.ENDPOINT_FAILED, why=why)


async def _unless_left(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of ``work``, cancelled if the client leaves (``ClientDisconnect``)."""
    task = asyncio.create_task(work)
    leaving = asyncio.create_task(_left(request))
    try:
        await asyncio.wait((task, leaving), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect
    finally:
        task.cancel()
        leaving.cancel()
        # their exceptions are of no use any more
        await asyncio.gather(task, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _prediction(model: ServedModel, probabilities_K: Floats) -> Mapping[str, Any]:
    classes = model.scorer.classes
    return {
        "label": classes[int(probabilities_K.argmax())],
        "probabilities": dict(zip(classes, map(float, probabilities_K), strict=True)),
    }


def _labels(model: ServedModel, probabilities_NK: Floats) -> list[str]:
    return [model.scorer.classes[index] for index in probabilities_NK.argmax(axis=1)]


def _entry(
    model: ServedModel, probabilities_NK: Floats, milliseconds: float, files: list[bytes]
) -> RequestRecord:
    return RequestRecord(
        time.time(),
        200,
        milliseconds,
        len(files),
        sum(map(len, files)),
        model.reference,
        tuple(_labels(model, probabilities_NK)),
        round(float(probabilities_NK.max(axis=1).min()), 6),
    )
