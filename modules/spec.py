"""The specification of a module: its ports, its parameters, its function, and its presentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from modules.artifacts import Artifact
from modules.augmentation import Augmentation
from modules.context import Context
from modules.errors import ModuleError
from modules.operating_system.machine import gpu_names
from modules.parameters import Parameters
from modules.sentences.sentence import Sentence

Severity = Literal["error", "warning"]
Preload = Literal["torch", "pandas", "nothing"]


@dataclass(frozen=True)
class Share:
    """Fraction of a module's images that leaves through one port, between 0 and 1."""

    parameter: str
    is_rest: bool = False
    """True if it is the remainder of that parameter."""


@dataclass(frozen=True)
class PortDoc:
    """Annotation metadata of a port: its title, if the ID does not express it, and its help.

    ``label`` is its name on the canvas if the title does not express its purpose, ``share`` the
    parameter with the fraction of images for this port, ``made_with`` the parameter without which
    it stays empty.
    """

    description: str
    title: str | None = None
    label: str = ""
    share: Share | None = None
    made_with: str = ""


@dataclass(frozen=True)
class Port:
    """An input or output of a module."""

    id: str
    type: type[Artifact]
    title: str
    description: str
    optional: bool = False
    label: str = ""
    """Name on the canvas: its purpose, else the short title."""
    share: Share | None = None
    made_with: str = ""
    """Parameter that, if empty, leaves the output empty too."""

    @property
    def name(self) -> str:
        """Return the name for people: the label of the canvas, "First part"."""
        words = self.label or self.title
        return words[:1].upper() + words[1:]


@dataclass(frozen=True)
class ParameterFinding:
    """Finding of a module's own check about parameter values that are each in range."""

    parameter: str
    message: str
    cure: str
    severity: Severity = "warning"
    reason: str = ""
    """Key of the sentence, and its facts as JSON; empty for an author's own text."""
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @classmethod
    def of(
        cls, parameter: str, sentence: Sentence, severity: Severity = "warning", **facts: Any
    ) -> Self:
        """Create the finding from a sentence and facts."""
        said = sentence.about(facts)
        return cls(parameter, said.message, said.cure, severity, **said.to_json())

    @classmethod
    def from_error(cls, error: ModuleError, parameter: str | None = None) -> Self:
        """Create the finding that running raises this error; ``parameter``: if it names none."""
        at = parameter or error.parameter or ""
        return cls(at, error.message, error.cure, "error", error.reason, error.facts)


@dataclass(frozen=True)
class Module:
    """A declared module; calling it calls its function."""

    id: str
    title: str
    category: str
    summary: str
    version: int
    icon: str
    keywords: tuple[str, ...]
    parameters_type: type[Parameters]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    libraries: tuple[str, ...]
    distributed: bool
    stoppable: bool
    function: Callable[..., Any]
    parameters_argument: str | None
    context_argument: str | None
    check: Callable[[Any], Iterable[ParameterFinding]] | None = None
    fingerprint: Callable[[Any, Context], str] | None = None
    forecast: Callable[..., Any] | None = None
    results_version: int = 1
    augmentation: Augmentation | None = None
    without_gpu: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Values of a new node on a machine without a GPU."""
    launches: bool = False
    """True if it starts the processes of the run settings itself, in their own environments."""
    takes_environment: bool = False
    """True if its child processes use the environment in the run settings."""
    shares_cores: Mapping[str, Any] | None = field(default=None, hash=False)
    """Parameter values for adapting to the number of free cores; None: it reserves its cores."""
    bridges: tuple[str, ...] | None = None
    """Inputs at which it is offered between two incompatible types; None: all of them."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    @property
    def preload(self) -> Preload:
        """Import what a process should hold before it is forked to run this module."""
        if self.needs_torch:
            return "torch"
        return "pandas" if "pandas" in self.libraries else "nothing"

    @property
    def starts_with(self) -> dict[str, Any]:
        """Return the values, other than the defaults, of a new node on this machine."""
        return {} if gpu_names() else dict(self.without_gpu)

    @property
    def needs_torch(self) -> bool:
        """Return True if running it imports torch, so that it is started from a warm process."""
        return "torch" in self.libraries

    def shares_cores_with(self, parameters: Parameters) -> bool:
        """Return True if it adapts to the number of free cores."""
        wanted = self.shares_cores
        return wanted is not None and all(
            getattr(parameters, name, None) == value for name, value in wanted.items()
        )

    def input(self, port_id: str) -> Port | None:
        return next((port for port in self.inputs if port.id == port_id), None)

    def output(self, port_id: str) -> Port | None:
        return next((port for port in self.outputs if port.id == port_id), None)

    def bridges_at(self, port: Port) -> bool:
        """Return True if it may be inserted to convert the type of this input."""
        return self.bridges is None or port.id in self.bridges

    def run(
        self, inputs: dict[str, Artifact], parameters: Parameters, context: Context
    ) -> dict[str, Artifact]:
        """Call the function by name and return its outputs by port ID."""
        arguments: dict[str, Any] = dict(inputs)
        if self.parameters_argument:
            arguments[self.parameters_argument] = parameters
        if self.context_argument:
            arguments[self.context_argument] = context
        result = self.function(**arguments)
        values = result if isinstance(result, tuple) else (result,)
        if len(values) != len(self.outputs):
            raise TypeError(
                f"{self.id} gave {len(values)} outputs and declares {len(self.outputs)}: "
                "return one for each."
            )
        return {port.id: value for port, value in zip(self.outputs, values, strict=True)}
