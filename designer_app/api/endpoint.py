"""Endpoint: the source of the router, the API documentation and the tests."""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_type_hints

from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from designer_app.api import sentences
from designer_app.api.errors import translated
from designer_app.application import Application
from designer_app.errors import ApiError, not_found
from designer_app.responses import answer
from designer_app.schemas.identifiers import PATH_PATTERNS
from pipelines.document import strict_json
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.schema_errors import schema_problems
from pipelines.problems import PipelineError

logger = logging.getLogger(__name__)

Method = Literal["GET", "POST", "PUT", "DELETE"]


@dataclass(frozen=True)
class Call:
    """One request with a validated path and a parsed body."""

    path: Mapping[str, str]
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Headers = field(default_factory=Headers)
    body: Any = None

    @cached_property
    def document(self) -> PipelineDocument:
        """Return the body as a pipeline document; raises ``PipelineError``."""
        return parse_document(self.body)

    def all(self, name: str) -> list[str]:
        """Return all values of a query parameter."""
        if isinstance(self.query, QueryParams):
            return self.query.getlist(name)
        return [self.query[name]] if name in self.query else []

    def number(self, name: str, default: int, *, largest: int = 10**15) -> int:
        """Return a query parameter as an integer; raises ``ApiError`` if it is not one."""
        text = self.query.get(name, str(default))
        if re.fullmatch(r"[0-9]{1,15}", text) is None or int(text) > largest:
            raise ApiError(
                400, "invalid_request", sentences.NO_WHOLE_NUMBER, name=name, most=largest
            )
        return int(text)


@dataclass(frozen=True)
class Reply:
    """Response with a status and headers besides its content."""

    content: object
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[Application, Call], object]
StreamHandler = Callable[[Application, Call, Request], Awaitable[Response]]


def _no_handler(_application: Application, _call: Call) -> object:
    raise NotImplementedError


@dataclass(frozen=True)
class ApiEndpoint:
    """Method of a path, and the decorator of its handler, whose docstring is the summary.

    The handler runs in a thread; an async handler also receives the request. ``takes`` is the model
    of a JSON body, ``gives`` the model or dataclass of the response (by default what the handler
    returns), ``media_type`` the content type of a response other than JSON, ``accepts`` the content
    types of a body other than JSON.
    """

    method: Method
    path: str
    handler: Handler | StreamHandler = _no_handler
    summary: str = ""
    takes: type[BaseModel] | None = None
    gives: type[Any] | None = None
    status: int = 200
    media_type: str = "application/json"
    accepts: tuple[str, ...] = ()
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    errors: tuple[int, ...] = ()

    def __call__(self, handler: Handler | StreamHandler) -> ApiEndpoint:
        """Return the endpoint with its handler."""
        summary = self.summary or " ".join((inspect.getdoc(handler) or "").split("\n\n")[0].split())
        returned = get_type_hints(handler)["return"]
        is_model = isinstance(returned, type) and not issubclass(returned, (Response, Reply))
        gives = self.gives or (returned if is_model else None)
        return replace(self, handler=handler, summary=summary, gives=gives)

    @property
    def operation_id(self) -> str:
        """Return a unique name made of method and path: ``put_pipelines_pipeline_id``."""
        words = re.findall(r"[a-z_]+", self.path.replace(":path", "").replace("-", "_"))
        return "_".join([self.method.lower(), *words[1:]])

    def route(self, application: Application) -> Route:
        """Return the route of this endpoint for an application."""

        async def serve(request: Request) -> Response:
            try:
                return await self._answer(application, request)
            except ClientDisconnect:
                raise
            except Exception as error:
                refusal = await run_in_threadpool(_refusal, application, error)
                if refusal.status == 500:
                    logger.exception("%s %s failed", self.method, self.path)
                return answer(refusal.body, refusal.status)

        return Route(self.path, serve, methods=[self.method], name=f"{self.method} {self.path}")

    async def _answer(self, application: Application, request: Request) -> Response:
        path = _checked(request.path_params)
        application.settings.workspace.require()
        body = None
        if self.takes and not self.accepts:  # otherwise the handler reads the body
            body = read_body(self.takes, await request.body())
        call = Call(path, request.query_params, request.headers, body)
        if inspect.iscoroutinefunction(self.handler):
            response: Response = await self.handler(application, call, request)
            return response
        result = await run_in_threadpool(self.handler, application, call)  # type: ignore[arg-type]
        if isinstance(result, Response):
            return result
        if isinstance(result, Reply):
            return answer(result.content, result.status, result.headers)
        return answer(result, self.status)


def _refusal(application: Application, error: Exception) -> ApiError:
    """Return the response to an error; an unexplained error may be due to a damaged database."""
    refusal = translated(error)
    damage = application.session.database.damage() if refusal.status == 500 else None
    return refusal if damage is None else translated(damage)


def read_body(model: type[BaseModel], raw: bytes) -> Any:
    """Parse a JSON body as its model; a pipeline document stays text, for ``parse_document``.

    Raises ``ApiError`` if it is not JSON, ``PipelineError`` with all validation errors.
    """
    if model is PipelineDocument:
        return raw
    try:
        return model.model_validate(strict_json.parse_checked(raw))
    except PipelineError:
        raise ApiError(400, "not_json", sentences.BODY_NOT_JSON) from None
    except ValidationError as error:
        raise PipelineError(schema_problems(error, {})) from None


def _checked(path: Mapping[str, Any]) -> dict[str, str]:
    for name, value in path.items():
        if re.fullmatch(PATH_PATTERNS[name], str(value)) is None:
            raise not_found(sentences.NO_VALID_PART, text=str(value)[:100], name=name)
    return {name: str(value) for name, value in path.items()}
