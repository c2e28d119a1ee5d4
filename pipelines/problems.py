"""Problems: what is wrong with a pipeline or a run, where, and what to do; values, not exceptions.

Codes 3000-3099 are the pipeline's own (``KINDS``); the others come from ``modules.errors``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from modules.errors import ModuleError, all_error_types, presentable
from pipelines.errors import DesignerError
from pipelines.sentences import refusals

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Kind:
    """A code with its name and the sentence of the error reference."""

    code: str
    name: str
    when: str


UNKNOWN_MODULE = Kind("3001", "UnknownModule", "no module of that id is installed")
MODULE_VERSION_MISSING = Kind(
    "3002", "ModuleVersionMissing", "a node was made with another version of its module"
)
PIPELINE_HAS_CYCLE = Kind("3003", "PipelineHasCycle", "links lead from a node back to itself")
PORT_TYPE_MISMATCH = Kind("3004", "PortTypeMismatch", "a link joins ports whose types do not fit")
UNKNOWN_NODE = Kind("3005", "UnknownNode", "a link or a setting names a node that is not there")
UNKNOWN_PORT = Kind("3006", "UnknownPort", "a link names a port that the module does not have")
INPUT_LINKED_TWICE = Kind("3007", "InputLinkedTwice", "two links end at the same input")
DUPLICATE_ID = Kind("3008", "DuplicateId", "two nodes, notes or groups have the same id")
WRONG_PARAMETER_TYPE = Kind(
    "3009", "WrongParameterType", "a parameter holds text where a number belongs, or the like"
)
UNKNOWN_PARAMETER = Kind("3010", "UnknownParameter", "the module has no parameter of that name")
NODE_COUNT_TOO_LARGE = Kind(
    "3011", "NodeCountTooLarge", "node count exceeds the compute target's maximum number of nodes"
)
PROCESS_COUNT_TOO_LARGE = Kind(
    "3012",
    "ProcessCountTooLarge",
    "process count per node exceeds the compute target's processing units",
)
RANK_LOST = Kind("3013", "RankLost", "one process of a distributed step ended without a word")
PROCESS_LOST = Kind("3014", "ProcessLost", "the process of a step ended without a result")
RUN_CANCELLED = Kind("3015", "RunCancelled", "the run was cancelled")
ARTIFACT_DAMAGED = Kind("3016", "ArtifactDamaged", "a stored output is not what was stored")
DATASET_MISSING = Kind("3017", "DatasetMissing", "a dataset or one of its versions is gone")
UPSTREAM_FAILED = Kind("3018", "UpstreamFailed", "a step was skipped: one before it gave nothing")
UNKNOWN_COMPUTE_TARGET = Kind("3019", "UnknownComputeTarget", "no compute target has that name")
NOT_DISTRIBUTED = Kind(
    "3020", "NotDistributed", "several nodes or processes for a module that runs in one process"
)
NOT_A_PIPELINE = Kind("3021", "NotAPipelineDocument", "the text or file is no pipeline document")
NEWER_FORMAT = Kind("3022", "NewerDocumentFormat", "a newer version wrote the document")
DOCUMENT_TOO_LARGE = Kind("3023", "DocumentTooLarge", "a document has more bytes than the limit")
INVALID_DOCUMENT = Kind("3024", "InvalidDocument", "a part of the document is missing or wrong")
TIME_LIMIT_REACHED = Kind("3025", "TimeLimitReached", "a step ran longer than its time limit")
INVALID_OVERRIDE = Kind("3026", "InvalidOverride", "a --set cannot be read")
EMPTY_PIPELINE = Kind("3027", "EmptyPipeline", "there is no node to run")
DOUBTFUL_PARAMETER = Kind(
    "3028", "DoubtfulParameter", "values that are each in range make no sense together"
)
MODULE_NOT_LOADED = Kind(
    "3029", "ModuleNotLoaded", "the code of a user's module is gone, broken or changed"
)
RUNNER_LOST = Kind("3030", "RunnerLost", "the runner ended while a run was under way")
TARGET_UNAVAILABLE = Kind("3031", "ComputeTargetUnavailable", "a compute target does not answer")
UNEXPECTED = Kind(
    "3032", "UnexpectedModuleError", "a module raised an error that it does not foresee"
)
WEIGHTS_NOT_CACHED = Kind(
    "3033", "WeightsNotCached", "pretrained weights are to be downloaded when the step runs"
)
AUGMENTATION_LEFT_OUT = Kind(
    "3034",
    "AugmentationLeftOut",
    "images of a training have random operations attached in mode For inference",
)
STALL_LIMIT_REACHED = Kind(
    "3037", "StallLimitReached", "a step told no progress for longer than its stall limit"
)
INVALID_REPLAY = Kind("3050", "InvalidReplay", "a file is no replay, or a damaged one")
NEWER_REPLAY = Kind("3051", "NewerReplayFormat", "a newer version made the replay")

KINDS: tuple[Kind, ...] = tuple(each for each in list(vars().values()) if isinstance(each, Kind))


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, where it is, and what to do about it.

    ``remedy`` is the cure for a button: a JSON object such as ``{"set": {"batch_size": 8}}``,
    ``{"insert": ["round"]}``, ``{"upgrade": "train"}``, ``{"run_settings": {"node_count": 1}}``,
    ``{"across": {"module": "align_classes", "ports": [...]}}``: see ``pipelines.editing.remedies``.
    """

    code: str
    name: str
    severity: Severity
    message: str
    cure: str
    node: str | None = None
    port: str | None = None
    parameter: str | None = None
    remedy: Mapping[str, Any] | None = None
    details: Mapping[str, Any] | None = None
    """The evidence: a table, as ``modules.errors.evidence`` makes it."""

    @classmethod
    def of(
        cls,
        kind: Kind | type[ModuleError],
        message: str,
        cure: str,
        *,
        severity: Severity = "error",
        node: str | None = None,
        port: str | None = None,
        parameter: str | None = None,
        remedy: Mapping[str, Any] | None = None,
    ) -> Problem:
        """A problem of a kind: one of ``KINDS`` or an error type of ``modules.errors``."""
        return cls(kind.code, kind.name, severity, message, cure, node, port, parameter, remedy)

    @classmethod
    def from_error(cls, error: ModuleError, node: str | None = None) -> Problem:
        """The problem that an error of a module is."""
        return cls(
            error.code,
            error.name,
            "error",
            presentable(error.message),
            presentable(error.cure) or "See the log of the step.",
            node,
            error.port,
            error.parameter,
            error.remedy,
            error.details,
        )

    @property
    def sentence(self) -> str:
        """What happened and what to do, in one line with the place: for terminals."""
        place = ".".join(filter(None, (self.node, self.port or self.parameter)))
        return f"{place + ': ' if place else ''}{self.message} {self.cure} ({self.code})"

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "name": self.name,
            "severity": self.severity,
            "node": self.node,
            "port": self.port,
            "parameter": self.parameter,
            "message": self.message,
            "cure": self.cure,
            "remedy": dict(self.remedy) if self.remedy is not None else None,
            "details": dict(self.details) if self.details is not None else None,
        }


class PipelineError(DesignerError):
    """What stands in the way of reading, changing or running a pipeline: all of its problems."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        lines = "\n".join(problem.sentence for problem in self.problems[:10])
        super().__init__(refusals.RELAYED, message=lines, cure="")


def errors_in(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Those that keep a pipeline from running; warnings do not."""
    return tuple(problem for problem in problems if problem.severity == "error")


def error_reference() -> list[dict[str, str]]:
    """Code, name and when of every problem there can be, ordered by code."""
    kinds: tuple[Kind | type[ModuleError], ...] = (*all_error_types(), *KINDS)
    rows = [{"code": each.code, "name": each.name, "when": each.when} for each in kinds]
    return sorted(rows, key=lambda row: row["code"])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``Did you mean 'epochs'?``, or the names there are when none is near."""
    names = sorted(known)
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if near:
        return f"Did you mean {near[0]!r}?"
    if not names:
        return "There is none: remove it."
    rest = f" and {len(names) - 10:,} more" if len(names) > 10 else ""
    return f"Choose one of {', '.join(names[:10])}{rest}."
