"""Problems of a pipeline or run with their place and fix; values, not exceptions.

Codes 3000-3099 are the pipeline's own (``KINDS``); the others are from ``modules.errors``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self, TypedDict, final

from modules.errors import ModuleError, all_error_types, presentable
from modules.sentences.sentence import HasMessage, Sentence, Statement, StatementData
from modules.sentences.translation import in_language
from pipelines.errors import DesignerError
from pipelines.sentences import documents, refusals, steps, wiring

if TYPE_CHECKING:
    from pipelines.events import ProblemData

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Kind:
    """Code and description of a problem in the error reference.

    The name is that of its constant, ``UnknownModule`` for ``UNKNOWN_MODULE``, unless it is given.
    """

    code: str
    when: str
    name: str = field(default="", kw_only=True)


UNKNOWN_MODULE = Kind("3001", "the module is not installed")
MODULE_VERSION_MISSING = Kind("3002", "a node needs another version of its module")
PIPELINE_HAS_CYCLE = Kind("3003", "the wires form a cycle")
PORT_TYPE_MISMATCH = Kind("3004", "a wire connects ports of incompatible types")
UNKNOWN_NODE = Kind("3005", "a wire or setting refers to an unknown node")
UNKNOWN_PORT = Kind("3006", "a wire refers to an unknown port")
INPUT_LINKED_TWICE = Kind("3007", "two wires end at the same input")
DUPLICATE_ID = Kind("3008", "two nodes, notes or groups have the same id")
WRONG_PARAMETER_TYPE = Kind("3009", "the value of a parameter has the wrong type")
UNKNOWN_PARAMETER = Kind("3010", "the module does not have this parameter")
NODE_COUNT_TOO_LARGE = Kind(
    "3011", "the node count exceeds the number of machines of the compute target"
)
PROCESS_COUNT_TOO_LARGE = Kind(
    "3012", "the process count per node exceeds the processing units of a machine"
)
RANK_LOST = Kind("3013", "a process of a distributed step ended without an error message")
PROCESS_LOST = Kind("3014", "the process of a step ended without a result")
RUN_CANCELLED = Kind("3015", "the run was cancelled")
DATASET_MISSING = Kind("3017", "a dataset or one of its versions does not exist")
UPSTREAM_FAILED = Kind("3018", "a step was skipped because a previous step produced no output")
UNKNOWN_COMPUTE_TARGET = Kind("3019", "the compute target does not exist")
NOT_DISTRIBUTED = Kind(
    "3020", "several machines or processes are set for a module that supports only one process"
)
NOT_A_PIPELINE = Kind(
    "3021", "the text or file is not a pipeline document", name="NotAPipelineDocument"
)
NEWER_FORMAT = Kind("3022", "the document was saved by a newer version", name="NewerDocumentFormat")
DOCUMENT_TOO_LARGE = Kind("3023", "the document exceeds the size limit")
INVALID_DOCUMENT = Kind("3024", "a part of the document is missing or invalid")
TIME_LIMIT_REACHED = Kind("3025", "a step exceeded its time limit")
INVALID_OVERRIDE = Kind("3026", "a --set or --param option is invalid")
EMPTY_PIPELINE = Kind("3027", "the pipeline has no enabled nodes")
DOUBTFUL_PARAMETER = Kind("3028", "parameter values are valid but probably not intended")
MODULE_NOT_LOADED = Kind("3029", "the code of a user's module is missing, broken or changed")
RUNNER_LOST = Kind("3030", "the runner ended during a run")
UNEXPECTED = Kind("3032", "a module raised an unexpected error", name="UnexpectedModuleError")
WEIGHTS_NOT_CACHED = Kind("3033", "pretrained weights will be downloaded when the step runs")
AUGMENTATION_LEFT_OUT = Kind(
    "3034", "random operations are skipped because training images use the mode For inference"
)
STALL_LIMIT_REACHED = Kind("3037", "a step reported no progress for longer than its stall limit")
SETTING_UNAVAILABLE = Kind("3038", "a setting is not supported by this version yet")
UNKNOWN_DEFINITION = Kind("3040", "a node refers to an unknown sub-pipeline")
DEFINITION_HAS_CYCLE = Kind("3041", "a sub-pipeline contains itself or is nested too deeply")
NOT_LAUNCHING = Kind(
    "3060", "a launcher, environment or parameter servers are set for a module without processes"
)
LAUNCHER_MISMATCH = Kind("3061", "a run setting requires another launcher")
RESERVED_VARIABLE = Kind("3062", "a run setting sets a variable that is reserved for the designer")
UNKNOWN_ENVIRONMENT = Kind("3063", "the environment or its version does not exist")
UNKNOWN_SECRET = Kind("3064", "a node uses a secret that is not set")
PIN_LOST = Kind("3065", "the pinned result of a node is missing or damaged")
PIN_UNFIT = Kind("3066", "the pinned result of a node does not fit its outputs")
PIN_NOT_ALLOWED = Kind("3067", "a node cannot be pinned")
PIN_OUTDATED = Kind("3068", "the pinned result of a node may not match its settings")
PIN_WITHOUT_EFFECT = Kind("3069", "the pin of a disabled node has no effect")
CODE_NOT_ALLOWED = Kind(
    "3070", "a pipeline contains code that has not been approved on this machine"
)
NODES_UNFIT = Kind(
    "3080",
    "machines of a compute target do not meet the requirements of a step or differ",
    name="MachinesUnfit",
)
NODE_LOST = Kind("3081", "a machine of a compute target was lost", name="MachineLost")
TARGET_REFUSED = Kind(
    "3082", "the engine of a compute target rejected a step", name="ComputeTargetRefused"
)
INPUT_LOST = Kind("3083", "a stored output is missing from the object store")
OBJECT_STORE_UNUSABLE = Kind("3084", "the address of the workspace's object store is invalid")
UNBOUND_PARAMETER = Kind("3042", "a parameter of a pipeline is not bound to an existing parameter")
NO_INFERENCE_PIPELINE = Kind("3043", "an inference pipeline cannot be derived from the pipeline")
INVALID_SWEEP = Kind("3044", "a sweep varies a parameter or compares a metric that does not fit")
MORE_PROBLEMS = Kind("3090", "the document has more problems than are listed")
PYTHON_CODE_INVALID = Kind(
    "3055", "a line of a Python file is not part of a pipeline", name="InvalidPipelineCode"
)
INVALID_REPLAY = Kind("3050", "the file is not a replay or is damaged")
NEWER_REPLAY = Kind("3051", "the replay was created by a newer version", name="NewerReplayFormat")


def _named_kinds(constants: Mapping[str, object]) -> Iterator[Kind]:
    """Yield the kinds of problems after setting their names."""
    for constant, kind in constants.items():
        if isinstance(kind, Kind):
            if not kind.name:
                words = (word.capitalize() for word in constant.split("_"))
                object.__setattr__(kind, "name", "".join(words))
            yield kind


KINDS: tuple[Kind, ...] = tuple(_named_kinds(dict(vars())))


class ErrorFacts(StatementData):
    """Error as JSON."""

    code: str
    message: str
    cure: str


@final
class ErrorReply(TypedDict):
    """Error as JSON for the API and commands with ``--json``."""

    error: ErrorFacts


def error_to_json(code: str, error: HasMessage) -> ErrorReply:
    """Return an error as JSON."""
    facts: ErrorFacts = {
        "code": code,
        "message": error.message,
        "cure": error.cure,
        "reason": error.reason,
        "facts": dict(error.facts),
    }
    return {"error": facts}


@dataclass(frozen=True)
class Problem:
    """Problem with its place and fix.

    ``remedy`` is the fix as a JSON object for a button, such as ``{"set": {"batch_size": 8}}``,
    ``{"insert": ["round"]}``, ``{"upgrade": "train"}``, ``{"run_settings": {"node_count": 1}}``,
    ``{"across": {"module": "align_classes", "ports": [...]}}``. The editor applies it
    (``graph/remedies.ts``).
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
    """Evidence as a table, in the form of ``modules.errors.evidence``."""
    reason: str = ""
    """Key of the sentence; empty if the text is an author's own."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Values in the sentence, as JSON."""

    @classmethod
    def of(
        cls,
        kind: Kind | type[ModuleError],
        sentence: Sentence | Statement,
        *,
        severity: Severity = "error",
        node: str | None = None,
        port: str | None = None,
        parameter: str | None = None,
        remedy: Mapping[str, Any] | None = None,
        **facts: Any,
    ) -> Self:
        """Return a problem of a kind: one of ``KINDS`` or an error type of ``modules.errors``."""
        statement = sentence.about(facts) if isinstance(sentence, Sentence) else sentence
        location = (node, port, parameter, remedy, None)
        message, cure = statement.message, statement.cure
        return cls(kind.code, kind.name, severity, message, cure, *location, **statement.to_json())

    @classmethod
    def relayed(
        cls,
        kind: Kind | type[ModuleError],
        source: HasMessage,
        *,
        severity: Severity = "error",
        **location: Any,
    ) -> Self:
        """Return a problem of a kind with a message from elsewhere."""
        texts = (presentable(source.message), presentable(source.cure) or steps.SEE_LOG.message)
        location |= {"reason": source.reason, "facts": source.facts}
        return cls(kind.code, kind.name, severity, *texts, **location)

    @classmethod
    def from_error(cls, error: ModuleError, node: str | None = None) -> Self:
        """Return the problem for an error of a module."""
        names = ("port", "parameter", "remedy", "details")
        location = {name: getattr(error, name) for name in names}
        return cls.relayed(type(error), error, node=node, **location)

    @property
    def sentence(self) -> str:
        """Return message, place and fix as one line for terminals."""
        location = ".".join(filter(None, (self.node, self.port or self.parameter)))
        return f"{location + ': ' if location else ''}{self.message} {self.cure} ({self.code})"

    def to_json(self) -> ProblemData:
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
"""Limit of problems in one list; a last one counts the others."""


class ProblemList:
    """The first ``MAX_PROBLEMS`` problems, errors before warnings, and the number of all others.

    The others are only counted: a hostile document may have hundreds of thousands.
    """

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._kept: dict[Severity, list[tuple[int, Problem]]] = {"error": [], "warning": []}
        self._num_added = 0
        self._num_omitted: dict[Severity, int] = {"error": 0, "warning": 0}
        for problem in problems:
            self.add(problem)

    def add(self, problem: Problem) -> None:
        """Keep or count a problem; one that counts others counts as that many."""
        listed = self._kept[problem.severity]
        if problem.code == MORE_PROBLEMS.code:
            self._num_omitted[problem.severity] += problem.facts["count"]
        elif len(listed) < MAX_PROBLEMS:
            listed.append((self._num_added, problem))
            self._num_added += 1
        else:
            self._num_omitted[problem.severity] += 1

    @property
    def is_full(self) -> bool:
        """Return True if a further problem is only counted, so that it need not be created."""
        return len(self._kept["error"]) >= MAX_PROBLEMS

    def count(self, num_errors: int) -> None:
        """Count errors that are not listed."""
        self._num_omitted["error"] += num_errors

    def listed(self) -> list[Problem]:
        """Return the problems in order, and one that counts the others."""
        errors, warnings = self._kept["error"], self._kept["warning"]
        room = MAX_PROBLEMS - len(errors)
        listed = [problem for _, problem in sorted([*errors, *warnings[:room]], key=_place)]
        count = sum(self._num_omitted.values()) + max(0, len(warnings) - room)
        if count:
            severity: Severity = "error" if self._num_omitted["error"] else "warning"
            sentence = documents.MORE_PROBLEMS
            listed.append(Problem.of(MORE_PROBLEMS, sentence, severity=severity, count=count))
        return listed


def _place(numbered: tuple[int, Problem]) -> int:
    return numbered[0]


def bounded(problems: Iterable[Problem]) -> list[Problem]:
    """Return at most ``MAX_PROBLEMS`` of the problems, and one that counts the others."""
    return ProblemList(problems).listed()


class PipelineError(DesignerError):
    """Problems that prevent a pipeline from being read, changed or run; bounded."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(bounded(problems))
        lines = "\n".join(problem.sentence for problem in self.problems[:10])
        super().__init__(refusals.RELAYED, message=lines, cure="")

    @classmethod
    def of(
        cls, kind: Kind | type[ModuleError], sentence: Sentence | Statement, **rest: Any
    ) -> Self:
        """Return the error for one problem, with the arguments of ``Problem.of``."""
        return cls([Problem.of(kind, sentence, **rest)])


def errors_in(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the errors, which prevent a pipeline from running, without warnings."""
    return tuple(problem for problem in problems if problem.severity == "error")


def error_reference() -> list[dict[str, str]]:
    """Return code, name and description of every problem, ordered by code."""
    rows = [
        {"code": kind.code, "name": kind.name, "when": in_language(kind.when)}
        for kind in error_kinds()
    ]
    return sorted(rows, key=lambda row: row["code"])


def error_kinds() -> tuple[Kind | type[ModuleError], ...]:
    """Return the kinds of all problems."""
    return *all_error_types(), *KINDS


def did_you_mean(word: str, choices: Iterable[str]) -> Statement:
    """Return ``Did you mean 'epochs'?``, or the valid names if none is similar."""
    names = sorted(choices)
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if near:
        return wiring.DID_YOU_MEAN.about({"near": near[0]})
    return wiring.CHOOSE_ONE.about({"names": names}) if names else wiring.THERE_IS_NONE.about({})
