"""Errors that a user can cause in a module: a code, a name, a message, and a fix.

    ModuleError
    ├── NullOrEmptyError (0003)                   also ValueError
    ├── RangeError                                also ValueError
    │   ├── GreaterThanError (0004)
    │   ├── GreaterThanOrEqualToError (0005)
    │   ├── LessThanError (0006)
    │   ├── LessThanOrEqualToError (0007)
    │   └── NotInRangeValueError (0008)
    ├── InvalidDatasetError (0018)                also ValueError
    ├── NotLabeledDatasetError (0024)             also ValueError
    ├── NotScoredDatasetError (0025)              also ValueError
    ├── TimeoutOccuredError (0072)                also TimeoutError
    ├── FailedToEvaluateScriptError (0085)
    ├── ImageExceedsLimitError (0127)             also ValueError
    ├── ModuleOutOfMemoryError (0138)             also MemoryError
    ├── InvalidTransformationDirectoryError (0158) also ValueError
    ├── InvalidModelDirectoryError (0159)         also ValueError
    ├── FailedToDownloadFilesError (0162)         also OSError
    ├── TrainingDivergedError (3101)              also ArithmeticError
    ├── SourceNotAllowedError (3102)              also PermissionError
    ├── ModelGoneError (3103)                     also LookupError
    ├── InvalidScriptError (3104)                 also ValueError
    ├── ModelNotExportedError (3105)              also ValueError
    ├── InvalidSearchSpaceError (3106)            also ValueError
    ├── TrialsFailedError (3107)
    └── EnvironmentNotMadeError (3110)

Codes below 3000 and their names are those of Azure Machine Learning Designer ("Exceptions and
error codes for the designer"); 3000-3099 belong to ``pipelines.problems``, 3100-3199 to modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, overload

from modules.sentences.sentence import MAX_EXAMPLES as MAX_EXAMPLES
from modules.sentences.sentence import Sentence, Statement, StatementData, reason_of, stated
from modules.sentences.sentence import examples as examples
from modules.sentences.sentence import presentable as presentable

Evidence = dict[str, Any]
"""Small table behind an error: its ``kind``, ``title``, ``rows`` and ``num_rows``."""


class ErrorData(StatementData):
    """Error of a module as JSON in results and events."""

    code: str
    name: str
    message: str
    cure: str
    parameter: str | None
    port: str | None
    remedy: dict[str, Any] | None
    details: Evidence | None


class ModuleError(Exception):
    """An error with a code, a message that says what happened, and one that says what to do.

    Authors of modules write both in the code. Built-in modules take them from a table
    (``modules.sentences``) and pass facts, so that they can be translated and processed:

        raise InvalidDatasetError("No image is sharp.", cure="Add sharp ones.", port="images")
        raise InvalidDatasetError(training.TOO_FEW, count=3, least=10, port="images")

    ``parameter`` or ``port`` names the place it belongs to. ``remedy`` is the same fix for a
    button: a JSON object such as ``{"set": {"batch_size": 8}}`` or ``{"insert": [module ids]}``.
    ``details`` is the evidence, as created by ``evidence``. ``reason`` is the key of the sentence
    and ``facts`` are its values, as JSON; both are empty for an author's own text. All of these
    pass between processes; ``statement`` is then None, and also if there is no reason.
    """

    code: ClassVar[str] = "3100"
    name: ClassVar[str] = "ModuleFailed"
    when: ClassVar[str] = "a module failed without a more specific code"

    @overload
    def __init__(
        self,
        said: str,
        *,
        cure: str,
        parameter: str | None = None,
        port: str | None = None,
        remedy: Mapping[str, Any] | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None: ...

    @overload
    def __init__(
        self,
        said: Sentence | Statement,
        *,
        parameter: str | None = None,
        port: str | None = None,
        remedy: Mapping[str, Any] | None = None,
        details: Mapping[str, Any] | None = None,
        **facts: Any,
    ) -> None: ...

    def __init__(
        self,
        said: Sentence | Statement | str,
        *,
        cure: str | None = None,
        parameter: str | None = None,
        port: str | None = None,
        remedy: Mapping[str, Any] | None = None,
        details: Mapping[str, Any] | None = None,
        **facts: Any,
    ) -> None:
        said = stated(said, facts)
        if isinstance(said, str) == (cure is None):
            raise TypeError("A text needs cure=..., but a Sentence already has one.")
        self.statement = None if isinstance(said, str) else said
        self.message = said if isinstance(said, str) else said.message
        self.cure = cure or "" if isinstance(said, str) else said.cure
        super().__init__(f"{self.message} {self.cure}".strip())
        data = reason_of(said)
        self.reason, self.facts = data["reason"], data["facts"]
        self.parameter = parameter
        self.port = port
        self.remedy = dict(remedy) if remedy else None
        self.details = dict(details) if details else None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the JSON form, as a fact may be an object that cannot be pickled."""
        return type(self).__new__, (type(self), *self.args), {**vars(self), "statement": None}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ModuleError:
        """Recreate the error from ``to_json``; raise KeyError or TypeError for anything else."""
        code, name = str(data["code"]), str(data["name"])
        known = {error_type.code: error_type for error_type in all_error_types()}
        own = known.get(code) or type(name, (ModuleError,), {"code": code, "name": name})
        rest = {name: data[name] for name in ("parameter", "port", "remedy", "details")}
        error: ModuleError = own(str(data["message"]), cure=str(data["cure"]), **rest)
        error.reason, error.facts = str(data["reason"]), dict(data["facts"])
        return error

    def to_json(self) -> ErrorData:
        """Return the error as the JSON object of run results and events."""
        return {
            "code": self.code,
            "name": self.name,
            "reason": self.reason,
            "facts": self.facts,
            "message": self.message,
            "cure": self.cure,
            "parameter": self.parameter,
            "port": self.port,
            "remedy": self.remedy,
            "details": self.details,
        }


class NullOrEmptyError(ModuleError, ValueError):
    code, name = "0003", "NullOrEmpty"
    when = "a required input or parameter is missing"


class RangeError(ModuleError, ValueError):
    """A parameter is outside its range; the subclass names the bound."""


class GreaterThanError(RangeError):
    code, name = "0004", "GreaterThan"
    when = "a parameter must be greater than a value and is not"


class GreaterThanOrEqualToError(RangeError):
    code, name = "0005", "GreaterThanOrEqualTo"
    when = "a parameter must be at least a value and is not"


class LessThanError(RangeError):
    code, name = "0006", "LessThan"
    when = "a parameter must be less than a value and is not"


class LessThanOrEqualToError(RangeError):
    code, name = "0007", "LessThanOrEqualTo"
    when = "a parameter must be at most a value and is not"


class NotInRangeValueError(RangeError):
    code, name = "0008", "NotInRangeValue"
    when = "a parameter is outside its range or not one of its choices"


class InvalidDatasetError(ModuleError, ValueError):
    code, name = "0018", "InvalidDataset"
    when = (
        "an archive is unreadable, encrypted, unsafe or empty; no image is valid; the classes of "
        "training and validation differ; image sizes differ; there are too few images to split"
    )


class NotLabeledDatasetError(ModuleError, ValueError):
    code, name = "0024", "NotLabeledDataset"
    when = "labels are needed and missing"


class NotScoredDatasetError(ModuleError, ValueError):
    code, name = "0025", "NotScoredDataset"
    when = "Evaluate Model received a table that was not created by Score Image Model"


class TimeoutOccuredError(ModuleError, TimeoutError):
    code, name = "0072", "TimeoutOccured"
    when = "a collective operation or a script exceeded its time limit"


class FailedToEvaluateScriptError(ModuleError):
    code, name = "0085", "FailedToEvaluateScript"
    when = "the user's code raised an exception; the message contains its last lines"


class ImageExceedsLimitError(ModuleError, ValueError):
    code, name = "0127", "ImageExceedsLimit"
    when = "an image has more pixels than the limit"


class ModuleOutOfMemoryError(ModuleError, MemoryError):
    code, name = "0138", "ModuleOutOfMemory"
    when = "host memory, GPU memory or disk space ran out"


class InvalidTransformationDirectoryError(ModuleError, ValueError):
    code, name = "0158", "InvalidTransformationDirectory"
    when = "the input is not an image transformation"


class InvalidModelDirectoryError(ModuleError, ValueError):
    code, name = "0159", "InvalidModelDirectory"
    when = "the input is not an untrained (Train) or trained (Score) image model"


class FailedToDownloadFilesError(ModuleError, OSError):
    code, name = "0162", "FailedToDownloadFiles"
    when = "weights, a dataset or packages are neither cached nor reachable, or do not match"


class TrainingDivergedError(ModuleError, ArithmeticError):
    code, name = "3101", "TrainingDiverged"
    when = "the training loss became NaN or infinite, or the weights implausibly large"


class SourceNotAllowedError(ModuleError, PermissionError):
    code, name = "3102", "SourceNotAllowed"
    when = "a file is outside the folders this server may read, or on a machine it must not access"


class ModelGoneError(ModuleError, LookupError):
    code, name = "3103", "ModelGone"
    when = "a registered model, its version or its alias is not in the registry"


class InvalidScriptError(ModuleError, ValueError):
    code, name = "3104", "InvalidScript"
    when = "the source, the arguments or the command of a script cannot be used"


class ModelNotExportedError(ModuleError, ValueError):
    code, name = "3105", "ModelNotExported"
    when = "a model cannot be written in the chosen format, or the file would predict differently"


class InvalidSearchSpaceError(ModuleError, ValueError):
    code, name = "3106", "InvalidSearchSpace"
    when = "the values to try are empty, unbounded, out of range, or of an unknown parameter"


class TrialsFailedError(ModuleError):
    code, name = "3107", "TrialsFailed"
    when = "no trial of a search ended with a model"


class EnvironmentNotMadeError(ModuleError):
    code, name = "3110", "EnvironmentNotMade"
    when = "packages of an environment are unknown, conflict, or differ from the lock"


def all_error_types() -> tuple[type[ModuleError], ...]:
    """Return every concrete error type, ordered by code, for the error reference."""

    def leaves(parent: type[ModuleError]) -> Iterable[type[ModuleError]]:
        for child in parent.__subclasses__():
            if child.__module__ == __name__ and "code" in vars(child):
                yield child
            yield from leaves(child)

    return tuple(sorted((ModuleError, *leaves(ModuleError)), key=lambda error: error.code))


def evidence(kind: str, title: str, rows: Iterable[tuple[object, object]]) -> Evidence:
    """Return the evidence of an error as a small table: at most ten rows of a name and a value.

    ``kind`` is its topic: memory, loss, sizes, unreadable, classes, weights.
    """
    pairs = [(presentable(str(name))[:300], presentable(str(value))[:300]) for name, value in rows]
    shown = [list(pair) for pair in pairs[:MAX_EXAMPLES]]
    return {"kind": kind, "title": title, "rows": shown, "num_rows": len(pairs)}
