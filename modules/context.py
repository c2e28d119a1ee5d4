"""What a running step is given: folders, run settings, and the ways to tell how it goes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from modules.metric_limits import bounded_step, clean_name
from modules.sentences.sentence import Sentence, Statement, presentable, reason_of, stated

Event = dict[str, Any]
Phase = Literal["preparing", "scaling", "running", "post-processing"]
ALIVE_SECONDS = 5.0


def _discard(event: Event) -> None:
    """The sink of a context that nobody watches."""


@dataclass(frozen=True)
class ContainerImage:
    """The files of an image, in which scripts run with little else of the machine."""

    tree: Path
    variables: Mapping[str, str]
    """Those that the image sets, ``PATH`` among them."""


@dataclass(frozen=True)
class ScriptEnvironment:
    """The Python and the packages that scripts of a step run with, built and ready."""

    name: str
    """``NAME@VERSION``."""
    key: str
    """What its packages hash to."""
    python: Path
    bin_dir: Path
    """Stands first on the ``PATH`` of a script."""
    image: ContainerImage | None = None
    """Where ``python`` is, for an environment that is an image; None: on this machine."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Those that the environment sets for its scripts; the run settings override them."""


@dataclass(frozen=True)
class Machine:
    """One of several machines that a step runs on."""

    address: str
    """By which the others reach it."""
    interface: str | None
    """In which that address is; None where it was not found."""
    network: str | None
    """Of that address, as ``10.0.0.0/24``."""
    root: str = ""
    """The folder that all of its paths begin with, where the machines share none."""


class StepCancelledError(BaseException):
    """The process of a step was asked to end (SIGTERM), and has ended what it had started."""


@dataclass
class Context:
    """The surroundings of one execution of a module, the same on every rank but for the ranks.

    ``Context(tmp_path)`` is enough to call a module as a plain function in a test.
    """

    staging_dir: Path
    """Where output folders are made: a direct child of the artifact store, on its disk."""

    checkpoint_dir: Path | None = None
    """Kept between attempts of the step; None where nothing can be resumed."""

    cache_dir: Path | None = None
    """Shared, disposable, bounded cache of decoded images and features; None: staging only."""

    weights_dir: Path | None = None
    """Pretrained weights by file name; None: torch's own cache."""

    datasets_dir: Path | None = None
    """Registered datasets as ``<name>/<version>/`` and downloads."""

    models: Mapping[str, Path] = field(default_factory=dict)
    """Registered models' folders by ``NAME``, ``NAME@VERSION`` and ``NAME@ALIAS``."""

    allowed_roots: tuple[Path, ...] | None = None
    """Folders that ``file:`` sources may lie in; None: whatever the user may read."""

    may_download: bool = True
    """False where data is only looked at, for a forecast: nothing large is fetched then."""

    node_count: int = 1
    process_count_per_node: int = 1
    rank: int = 0
    local_rank: int = 0
    world_size: int = 1
    threads: int | None = None
    """CPU threads of this rank; None: as many as the machine has cores."""

    cores_path: Path | None = None
    """Holds how many threads this rank may have at the time; None or no file: ``threads``."""

    document_path: Path | None = None
    """The pipeline document this step belongs to."""

    stop_path: Path | None = None
    """When this file appears, training ends early and hands on its best model."""

    cut_short: bool = False
    """Set by a module that ended early on request: its output then counts for its run only."""

    environment: ScriptEnvironment | None = None
    """What scripts run with; None: the designer's own Python."""

    launcher: str | None = None
    """How a module that launches starts its processes; None: its own way."""

    machine: Machine | None = None
    """Where a module that launches runs on each of several machines: this one, the ``rank``-th.
    None where its nodes, if there are several, are simulated on this machine."""

    parameter_server_count: int = 0
    cores_per_process: int | None = None
    """CPU cores of each process; None: all, shared evenly."""

    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables that the run settings add."""

    secrets: Mapping[str, str] = field(default_factory=dict)
    """Environment variables whose values are never told, shown or kept."""

    fingerprint: str | None = None
    """What the module's ``fingerprint`` said when the step was planned."""

    pipeline_parameters: Mapping[str, Any] = field(default_factory=dict)
    """The values of those parameters of the pipeline that the step's own parameters name, as
    ``parameters.NAME``."""

    node_dir: Path | None = None
    """Logs of the step, kept with its run; None: they lie in the staging folder."""

    attempt_dir: Path | None = None
    """For the files of this attempt alone, kept with its run; None: the staging folder."""

    emit: Callable[[Event], None] = _discard
    _num_folders: int = field(default=0, init=False)
    _spoke: float = field(default=0.0, init=False)

    @property
    def is_first_rank(self) -> bool:
        """True on the one rank that writes outputs and reports metrics."""
        return self.rank == 0

    @property
    def document(self) -> dict[str, Any] | None:
        """The pipeline document this step belongs to, for models to carry."""
        if self.document_path is None:
            return None
        return dict(json.loads(self.document_path.read_text(encoding="utf-8")))

    @property
    def stop_requested(self) -> bool:
        """True once the user asked to stop early and keep the result."""
        return self.stop_path is not None and self.stop_path.exists()

    @property
    def threads_now(self) -> int | None:
        """How many it may have while other steps of the machine share its cores."""
        if self.cores_path is None:
            return None
        try:
            return int(self.cores_path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def log_path(self, rank: int) -> Path:
        """The driver log of a process that the step starts."""
        return (self.node_dir or self.staging_dir) / f"70_driver_log_{rank}.txt"

    def new_folder(self) -> Path:
        """A fresh folder for one output, the n-th call giving the same one on every rank.

        Every rank may write to it until it returns: it is sealed once all have.
        """
        folder = self.staging_dir / str(self._num_folders)
        self._num_folders += 1
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def metric(self, name: str, value: float, step: int = 0) -> None:
        """Record one point of a curve; ``step`` is the epoch for metrics of training."""
        at = bounded_step(int(step))
        self._tell("metric", name=clean_name(name), value=float(value), step=at)

    def progress(self, done: int, total: int, unit: str, **facts: float | str | None) -> None:
        """Say how far the step is, with facts for the node: epoch, images/s, seconds left."""
        self._tell("progress", done=done, total=total, unit=unit, **facts)

    def phase(self, phase: Phase, **facts: float | str | None) -> None:
        """Say what the step is about now, with facts: seconds, bytes, what it waits for."""
        self._tell("phase", phase=phase, **facts)

    def alive(self) -> None:
        """Say that work goes on where there is no progress to tell, so that it does not count as
        stalled; call it as often as is handy."""
        now = time.monotonic()
        if now - self._spoke > ALIVE_SECONDS:
            self._spoke = now
            self._tell("alive")

    def warn(self, said: Sentence | Statement | str, **facts: Any) -> None:
        """Tell the user of something that did not stop the step, as errors are told."""
        said = stated(said, facts)
        self._tell("warning", message=presentable(str(said)), **reason_of(said))

    def work(
        self,
        name: str,
        num_images: int,
        seconds: float,
        *,
        num_opened: int = 0,
        opening_seconds: float = 0.0,
    ) -> None:
        """Say how long so many images took; forecasts of work of the same name learn from it.

        ``opening_seconds`` went before that to ``num_opened`` images that were read once each.
        """
        opened = {"num_opened": num_opened, "opening_seconds": opening_seconds}
        self._tell("work", name=name, num_images=num_images, seconds=seconds, **opened)

    def summary(self, said: Sentence | Statement | str, **facts: Any) -> None:
        """Set the node's footer line: what its output holds, say ``1,797 images, 10 classes``."""
        said = stated(said, facts)
        self._tell("summary", text=presentable(str(said)), **reason_of(said))

    def _tell(self, kind: str, **facts: Any) -> None:
        self.emit({"kind": kind, "rank": self.rank, **facts})
