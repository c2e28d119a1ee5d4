"""Problems: what is wrong with a pipeline or a run, where, and what to do; values, not exceptions.

Codes 3000-3099 are the pipeline's own (``KINDS``); the others come from ``modules.errors``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from modules.errors import ModuleError, all_error_types, presentable
from modules.sentences.sentence import Sentence, Statement, Told
from pipelines.errors import DesignerError
from pipelines.sentences import documents, refusals, steps, wiring

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
PIPELINE_HAS_CYCLE = Kind("3003", "PipelineHasCycle", "wires lead from a node back to itself")
PORT_TYPE_MISMATCH = Kind("3004", "PortTypeMismatch", "a wire joins ports whose types do not fit")
UNKNOWN_NODE = Kind("3005", "UnknownNode", "a wire or a setting names a node that is not there")
UNKNOWN_PORT = Kind("3006", "UnknownPort", "a wire names a port that the module does not have")
INPUT_LINKED_TWICE = Kind("3007", "InputLinkedTwice", "two wires end at the same input")
DUPLICATE_ID = Kind("3008", "DuplicateId", "two nodes, notes or groups have the same id")
WRONG_PARAMETER_TYPE = Kind(
    "3009", "WrongParameterType", "a parameter holds text where a number belongs, or the like"
)
UNKNOWN_PARAMETER = Kind("3010", "UnknownParameter", "the module has no parameter of that name")
NODE_COUNT_TOO_LARGE = Kind(
    "3011", "NodeCountTooLarge", "node count exceeds the machines of the compute target"
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
SETTING_UNAVAILABLE = Kind(
    "3038", "SettingUnavailable", "a setting is for a feature that this version does not have yet"
)
UNKNOWN_DEFINITION = Kind(
    "3040", "UnknownDefinition", "a node stands for a sub-pipeline that the document does not have"
)
DEFINITION_HAS_CYCLE = Kind(
    "3041", "DefinitionHasCycle", "a sub-pipeline holds itself, or is nested too deep"
)
NOT_LAUNCHING = Kind(
    "3060",
    "NotLaunching",
    "an environment, a launcher or parameter servers for a module that starts no processes itself",
)
LAUNCHER_MISMATCH = Kind("3061", "LauncherMismatch", "a run setting goes with another launcher")
RESERVED_VARIABLE = Kind(
    "3062", "ReservedVariable", "a run setting gives a variable that the designer sets itself"
)
UNKNOWN_ENVIRONMENT = Kind(
    "3063", "UnknownEnvironment", "no environment has that name, or none that version"
)
UNKNOWN_SECRET = Kind("3064", "UnknownSecret", "a secret that a node names is not set")
CODE_NOT_ALLOWED = Kind(
    "3070", "CodeNotAllowed", "a pipeline brings code that nobody here has looked at and allowed"
)
NODES_UNFIT = Kind(
    "3080", "MachinesUnfit", "machines of a compute target lack what a step needs, or differ in it"
)
NODE_LOST = Kind(
    "3081", "MachineLost", "a machine of a compute target fell silent or was taken away"
)
TARGET_REFUSED = Kind(
    "3082", "ComputeTargetRefused", "the engine of a compute target does not take a step"
)
INPUT_LOST = Kind("3083", "InputLost", "an object store has not what was put there any more")
OBJECT_STORE_UNUSABLE = Kind(
    "3084", "ObjectStoreUnusable", "the workspace's object store cannot be used as it is named"
)
UNBOUND_PARAMETER = Kind(
    "3042", "UnboundParameter", "a parameter of a pipeline is bound to nothing that is there"
)
MORE_PROBLEMS = Kind("3090", "MoreProblems", "a document has more problems than are listed")
INVALID_REPLAY = Kind("3050", "InvalidReplay", "a file is no replay, or a damaged one")
NEWER_REPLAY = Kind("3051", "NewerReplayFormat", "a newer version made the replay")

KINDS: tuple[Kind, ...] = tuple(each for each in list(vars().values()) if isinstance(each, Kind))


def told_as_json(code: str, told: Told) -> dict[str, Any]:
    """What a refusal is in JSON: that of the API, and of commands with ``--json``."""
    said = {name: getattr(told, name) for name in ("message", "cure", "reason", "facts")}
    return {"error": {"code": code, **said}}


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
    reason: str = ""
    """The key of the sentence; empty where the text is an author's own."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the sentence is about, as JSON."""

    @classmethod
    def of(
        cls,
        kind: Kind | type[ModuleError],
        said: Sentence | Statement,
        *,
        severity: Severity = "error",
        node: str | None = None,
        port: str | None = None,
        parameter: str | None = None,
        remedy: Mapping[str, Any] | None = None,
        **facts: Any,
    ) -> Self:
        """A problem of a kind: one of ``KINDS`` or an error type of ``modules.errors``."""
        statement = said.about(facts) if isinstance(said, Sentence) else said
        place = (node, port, parameter, remedy, None)
        message, cure = statement.message, statement.cure
        return cls(kind.code, kind.name, severity, message, cure, *place, **statement.to_json())

    @classmethod
    def relayed(
        cls,
        kind: Kind | type[ModuleError],
        told: Told,
        *,
        severity: Severity = "error",
        **place: Any,
    ) -> Self:
        """The problem of a kind that says what was said elsewhere."""
        said = (presentable(told.message), presentable(told.cure) or steps.SEE_LOG.message)
        place |= {"reason": told.reason, "facts": told.facts}
        return cls(kind.code, kind.name, severity, *said, **place)

    @classmethod
    def from_error(cls, error: ModuleError, node: str | None = None) -> Self:
        """The problem that an error of a module is."""
        names = ("port", "parameter", "remedy", "details")
        place = {name: getattr(error, name) for name in names}
        return cls.relayed(type(error), error, node=node, **place)

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
            "reason": self.reason,
            "facts": dict(self.facts),
        }


MAX_PROBLEMS = 300
"""Problems in one list; a last one says how many more there are."""


class ProblemList:
    """The first ``MAX_PROBLEMS`` problems, errors before warnings, and the number of all others.

    The others are counted and not kept: a hostile document may have hundreds of thousands.
    """

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._kept: dict[Severity, list[tuple[int, Problem]]] = {"error": [], "warning": []}
        self._num_added = 0
        self._num_omitted: dict[Severity, int] = {"error": 0, "warning": 0}
        for problem in problems:
            self.add(problem)

    def add(self, problem: Problem) -> None:
        """Keep or count a problem; one that says how many more there are counts as that many."""
        kept = self._kept[problem.severity]
        if problem.code == MORE_PROBLEMS.code:
            self._num_omitted[problem.severity] += problem.facts["count"]
        elif len(kept) < MAX_PROBLEMS:
            kept.append((self._num_added, problem))
            self._num_added += 1
        else:
            self._num_omitted[problem.severity] += 1

    @property
    def is_full(self) -> bool:
        """True when a further problem is only counted: nobody needs to make it."""
        return len(self._kept["error"]) >= MAX_PROBLEMS

    def count(self, num_errors: int) -> None:
        """Count errors that are not listed."""
        self._num_omitted["error"] += num_errors

    def listed(self) -> list[Problem]:
        """The problems in their order, and the one that says how many more there are."""
        errors, warnings = self._kept["error"], self._kept["warning"]
        room = MAX_PROBLEMS - len(errors)
        listed = [problem for _, problem in sorted([*errors, *warnings[:room]], key=_place)]
        count = sum(self._num_omitted.values()) + max(0, len(warnings) - room)
        if count:
            severity: Severity = "error" if self._num_omitted["error"] else "warning"
            said = documents.MORE_PROBLEMS
            listed.append(Problem.of(MORE_PROBLEMS, said, severity=severity, count=count))
        return listed


def _place(numbered: tuple[int, Problem]) -> int:
    return numbered[0]


def bounded(problems: Iterable[Problem]) -> list[Problem]:
    """At most ``MAX_PROBLEMS`` of the problems, and one that says how many more there are."""
    return ProblemList(problems).listed()


class PipelineError(DesignerError):
    """The problems that keep a pipeline from being read, changed or run; bounded."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(bounded(problems))
        lines = "\n".join(problem.sentence for problem in self.problems[:10])
        super().__init__(refusals.RELAYED, message=lines, cure="")

    @classmethod
    def of(cls, kind: Kind | type[ModuleError], said: Sentence | Statement, **rest: Any) -> Self:
        """That of one problem, made as ``Problem.of`` makes it."""
        return cls([Problem.of(kind, said, **rest)])


def errors_in(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Those that keep a pipeline from running; warnings do not."""
    return tuple(problem for problem in problems if problem.severity == "error")


def error_reference() -> list[dict[str, str]]:
    """Code, name and when of every problem there can be, ordered by code."""
    kinds: tuple[Kind | type[ModuleError], ...] = (*all_error_types(), *KINDS)
    rows = [{"code": each.code, "name": each.name, "when": each.when} for each in kinds]
    return sorted(rows, key=lambda row: row["code"])


def did_you_mean(word: str, known: Iterable[str]) -> Statement:
    """``Did you mean 'epochs'?``, or the names there are when none is near."""
    names = sorted(known)
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if near:
        return wiring.DID_YOU_MEAN.about({"near": near[0]})
    return wiring.CHOOSE_ONE.about({"names": names}) if names else wiring.THERE_IS_NONE.about({})
