"""The names that authors of modules import; one line covers what a module file usually needs.

    from modules import Context, Field, ImageDirectory, Parameters, module

A name is loaded from its file on first use, so that ``import modules`` loads no library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import Field

    from modules.artifacts import (
        AnyDirectory,
        Artifact,
        EvaluationResults,
        ImageDirectory,
        ImageTransformation,
        Model,
        OnnxModel,
        ScorableModel,
        ScoredImages,
        Table,
        TrainedModel,
        UntrainedModel,
        read_json,
        write_json,
    )
    from modules.context import Context, ScriptEnvironment
    from modules.declare import DeclarationError, module
    from modules.errors import (
        EnvironmentNotMadeError,
        FailedToDownloadFilesError,
        FailedToEvaluateScriptError,
        GreaterThanError,
        GreaterThanOrEqualToError,
        ImageExceedsLimitError,
        InvalidDatasetError,
        InvalidModelDirectoryError,
        InvalidScriptError,
        InvalidSearchSpaceError,
        InvalidTransformationDirectoryError,
        LessThanError,
        LessThanOrEqualToError,
        ModelGoneError,
        ModelNotExportedError,
        ModuleError,
        ModuleOutOfMemoryError,
        NotInRangeValueError,
        NotLabeledDatasetError,
        NotScoredDatasetError,
        NullOrEmptyError,
        RangeError,
        SourceNotAllowedError,
        TimeoutOccuredError,
        TrainingDivergedError,
        TrialsFailedError,
        evidence,
        examples,
    )
    from modules.forecast import ArtifactForecast, StepForecast
    from modules.foreign_model import ForeignModel
    from modules.parameters import (
        AddedLater,
        Code,
        Follows,
        FromData,
        LocalPath,
        NoParameters,
        Parameters,
        Runs,
        SecretNames,
        ShownWhen,
        Suggestions,
        Tries,
        Unit,
    )
    from modules.parameters import Group as Group
    from modules.spec import Module, ParameterFinding, PortDoc, Share

__all__ = [
    "AddedLater",
    "AnyDirectory",
    "Artifact",
    "ArtifactForecast",
    "Code",
    "Context",
    "DeclarationError",
    "EnvironmentNotMadeError",
    "EvaluationResults",
    "ExportedModel",
    "FailedToDownloadFilesError",
    "FailedToEvaluateScriptError",
    "Field",
    "Follows",
    "ForeignModel",
    "FromData",
    "GreaterThanError",
    "GreaterThanOrEqualToError",
    "Group",
    "ImageDirectory",
    "ImageExceedsLimitError",
    "ImageTransformation",
    "InvalidDatasetError",
    "InvalidModelDirectoryError",
    "InvalidScriptError",
    "InvalidSearchSpaceError",
    "InvalidTransformationDirectoryError",
    "LessThanError",
    "LessThanOrEqualToError",
    "LocalPath",
    "Model",
    "ModelGoneError",
    "ModelNotExportedError",
    "Module",
    "ModuleError",
    "ModuleOutOfMemoryError",
    "NoParameters",
    "NotInRangeValueError",
    "NotLabeledDatasetError",
    "NotScoredDatasetError",
    "NullOrEmptyError",
    "OnnxModel",
    "ParameterFinding",
    "Parameters",
    "PortDoc",
    "RangeError",
    "Runs",
    "ScorableModel",
    "ScoredImages",
    "ScriptEnvironment",
    "SecretNames",
    "Share",
    "ShownWhen",
    "SourceNotAllowedError",
    "StepForecast",
    "Suggestions",
    "Table",
    "TimeoutOccuredError",
    "TrainedModel",
    "TrainingDivergedError",
    "TrialsFailedError",
    "Tries",
    "Unit",
    "UntrainedModel",
    "evidence",
    "examples",
    "module",
    "read_json",
    "write_json",
]

_HOMES = (
    "errors",
    "context",
    "artifacts",
    "foreign_model",
    "parameters",
    "spec",
    "forecast",
    "declare",
)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = _found(name)
    return value


def _found(name: str) -> Any:
    """Return the member from the first file that has it."""
    if name == "Field":
        return import_module("pydantic").Field
    homes = (vars(import_module(f"{__name__}.{home}")) for home in _HOMES)
    return next(home[name] for home in homes if name in home)
