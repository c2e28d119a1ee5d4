"""Process with a user's module file: describes its modules and calls their hooks.

Code of others runs here, isolated from all other processes: one line of JSON arrives on a socket,
one leaves.
"""

from __future__ import annotations

import builtins
import importlib
import io
import json
import os
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from types import ModuleType
from typing import Any, TypedDict

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from modules.context import Context
from modules.description import describe
from modules.errors import ModuleError
from modules.forecast import ArtifactForecast, StepForecast
from modules.loading import CatalogFailure, Loaded, ModuleOrigin, load
from modules.parameters import Parameters, ParameterValues
from modules.rebuilding import ModuleDescription
from modules.sentences.sentence import RecordedStatement, Statement
from modules.spec import Module
from pipelines.sentences import user_code as say
from pipelines.user_modules.errors import CodeReply

IDLE_TIMEOUT_SECONDS = 60.0
STANDARD = (builtins, io, json, os, shutil, socket, subprocess, sys, tempfile, threading, time)
"""Modules of the standard library that everything in a process depends on."""
REPLACED_BY_MANY = frozenset({"sys.excepthook", "sys.displayhook", "threading.excepthook"})

Question = Mapping[str, Any]


class CodeDescription(TypedDict):
    """Modules of one file or entry point, and why others could not be read."""

    modules: list[ModuleDescription]
    failures: list[Mapping[str, Any]]
    code_hash: str | None
    file: str | None


class ParsedParameters(TypedDict, total=False):
    """Parsed values of parameters, or the errors of pydantic."""

    values: ParameterValues
    invalid: list[Mapping[str, Any]]


class CodeAnswers:
    """Answers of one file or entry point, which is read at the first question."""

    def __init__(self, origin: ModuleOrigin) -> None:
        self._origin = origin
        self._loaded: Loaded | None = None

    def answer(self, request: Question) -> CodeReply:
        """Return the answer, or the error that the code raised."""
        try:
            if request["question"] == "describe":
                return {"answer": self._describe()}
            return {
                "answer": ANSWERS[request["question"]](self._module(request["module"]), request)
            }
        except ModuleError as error:
            return {"error": to_jsonable_python(error.to_json(), fallback=str)}
        except BaseException as error:  # no user interrupts this process: the file itself does
            return {"raised": [type(error).__name__, _text(error)]}

    def _describe(self) -> CodeDescription:
        declared, failures = self._load()
        container = sys.modules.get(self._origin.location.partition(":")[0])
        return {
            "modules": [describe(declaration.module) for declaration in declared],
            "failures": [asdict(failure) for failure in failures],
            "code_hash": declared[0].origin.code_hash if declared else None,
            "file": getattr(container, "__file__", None),
        }

    def _module(self, module_id: str) -> Module:
        declared, failures = self._load()
        module = next(
            (declaration.module for declaration in declared if declaration.module.id == module_id),
            None,
        )
        # The caller knows the file as listed: an answer of different code would mislead.
        if module is None or declared[0].origin.code_hash != self._origin.code_hash:
            why = (
                RecordedStatement.of(failures[0]).alone
                if failures
                else say.NOT_WHAT_IT_WAS.about({})
            )
            raise ModuleError(say.NOT_LISTED_SO, location=self._origin.location, why=why)
        return module

    def _load(self) -> Loaded:
        if self._loaded is None:
            before, num_threads = _standard_library(), threading.active_count()
            self._loaded = load(self._origin)
            harm = _harm(before, num_threads)
            if harm is not None and not self._loaded[1]:
                failure = CatalogFailure.of(self._origin.location, harm.sentence, **harm.facts)
                self._loaded = [], [failure]
        return self._loaded


def _standard_library() -> Mapping[str, Any]:
    return {
        f"{module.__name__}.{name}": value
        for module in STANDARD
        for name, value in vars(module).items()
        if callable(value) and not isinstance(value, ModuleType)
    }


def _harm(before: Mapping[str, Any], num_threads: int) -> Statement | None:
    """Return what reading the file did that would harm others."""
    if threading.active_count() > num_threads:  # there may be one that watches the parent
        return say.STARTS_A_THREAD.about({})
    now = _standard_library()
    replaced = sorted(
        name
        for name, value in before.items()
        if now.get(name) is not value and name not in REPLACED_BY_MANY
    )
    return say.REPLACES_STANDARD.about({"name": replaced[0]}) if replaced else None


def _parse(module: Module, request: Question) -> ParsedParameters:
    try:
        parameters = _parameters(module, request)
    except ValidationError as error:
        details = error.errors(include_url=False)
        return {"invalid": to_jsonable_python(details, fallback=str)}
    return {"values": parameters.model_dump(mode="json")}


def _check(module: Module, request: Question) -> list[Mapping[str, Any]]:
    findings: Iterable[Any] = module.check(_parameters(module, request)) if module.check else ()
    return [asdict(finding) for finding in findings]


def _fingerprint(module: Module, request: Question) -> str:
    assert module.fingerprint is not None
    return module.fingerprint(_parameters(module, request), _context(request))


def _forecast(module: Module, request: Question) -> Mapping[str, Any]:
    assert module.forecast is not None
    inputs = TypeAdapter(Mapping[str, ArtifactForecast]).validate_python(request["inputs"])
    forecast = module.forecast(inputs, _parameters(module, request), _context(request))
    answer = forecast if isinstance(forecast, StepForecast) else StepForecast()
    content: Mapping[str, Any] = TypeAdapter(StepForecast).dump_python(answer, mode="json")
    return content


ANSWERS: Mapping[str, Callable[[Module, Question], Any]] = {
    "parse": _parse,
    "check": _check,
    "fingerprint": _fingerprint,
    "forecast": _forecast,
}


def _parameters(module: Module, request: Question) -> Parameters:
    return module.parameters_type.model_validate_json(json.dumps(request["parameters"]))


def _context(request: Question) -> Context:
    return TypeAdapter(Context).validate_python(request["context"])


def _text(error: BaseException) -> str:
    try:
        return str(error)[:1000]
    except Exception:  # the error is a class of the user's, and so is its formatting
        return ""


def answer_questions(line: socket.socket, origin: ModuleOrigin) -> None:
    """Answer until the connection closes or no question arrives for a while."""
    dumps, loads = json.dumps, json.loads  # the file may replace them
    importlib.invalidate_caches()
    answers = CodeAnswers(origin)
    # After a minute without questions it exits: listing modules needs it only once.
    with line.makefile("r", encoding="utf-8") as questions, selectors.DefaultSelector() as selector:
        selector.register(line, selectors.EVENT_READ)
        while selector.select(IDLE_TIMEOUT_SECONDS) and (text := questions.readline()):
            line.sendall(dumps(answers.answer(loads(text))).encode() + b"\n")
