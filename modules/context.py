"""The context of a running step: folders, run settings, and methods that report progress."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from modules.metric_limits import bounded_step, clean_name
from modules.schema_reference import DocumentData
from modules.sentences.sentence import Facts, Sentence, Statement, presentable, reason_of, stated

Report = dict[str, Any]
"""Report of a running step: its ``kind``, and the values of that kind."""
Phase = Literal["preparing", "scaling", "running", "post-processing"]
ALIVE_SECONDS = 5.0


def _discard(report: Report) -> None:
    """Discard a report, for contexts without listeners."""


@dataclass(frozen=True)
class ContainerImage:
    """Files of a container image, in which scripts run with little access to the machine."""

    tree: Path
    variables: Mapping[str, str]
    """Environment variables set by the image, including ``PATH``."""


@dataclass(frozen=True)
class ScriptEnvironment:
    """The Python and the packages that scripts of a step run with, built and ready."""

    name: str
    """``NAME@VERSION``."""
    key: str
    """Hash of its packages."""
    python: Path
    bin_dir: Path
    """First folder on the ``PATH`` of a script."""
    image: ContainerImage | None = None
    """Image that contains ``python``, for an environment that is an image; None: this machine."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Variables that the environment sets for its scripts; the run settings override them."""


@dataclass(frozen=True)
class Machine:
    """One of several machines that a step runs on."""

    address: str
    """Address by which the other machines reach it."""
    interface: str | None
    """Network interface of that address; None if it was not found."""
    network: str | None
    """Network of that address, such as ``10.0.0.0/24``."""
    root: str = ""
    """Folder that all of its paths start with, if the machines share none."""


class StepCancelledError(BaseException):
    """The process of a step received SIGTERM and has ended its child processes."""


class StepPausedError(BaseException):
    """The step has paused after an epoch whose checkpoint is written; resuming continues it."""

    def __init__(self, epoch: int) -> None:
        super().__init__(epoch)
        self.epoch = epoch


@dataclass
class Context:
    """Context of one execution of a module, the same on every rank except for the ranks.

    ``Context(tmp_path)`` is enough to call a module as a plain function in a test.
    """

    staging_dir: Path
    """Folder for new output folders: a direct child of the artifact store, on its disk."""

    checkpoint_dir: Path | None = None
    """Folder kept between attempts of the step; None if nothing can be resumed."""

    cache_dir: Path | None = None
    """Shared, disposable, bounded cache of decoded images and features; None: staging only."""

    weights_dir: Path | None = None
    """Pretrained weights by file name; None: torch's own cache."""

    datasets_dir: Path | None = None
    """Registered datasets as ``<name>/<version>/`` and downloads."""

    models: Mapping[str, Path] = field(default_factory=dict)
    """Registered models' folders by ``NAME``, ``NAME@VERSION`` and ``NAME@ALIAS``."""

    allowed_roots: tuple[Path, ...] | None = None
    """Folders that ``file:`` sources may be in; None: all that the user may read."""

    may_download: bool = True
    """False during a forecast, when nothing large may be downloaded."""

    node_count: int = 1
    process_count_per_node: int = 1
    rank: int = 0
    local_rank: int = 0
    world_size: int = 1
    threads: int | None = None
    """CPU threads of this rank; None: as many as the machine has cores."""

    cores_path: Path | None = None
    """File with the number of threads this rank may currently use; None or no file: ``threads``."""

    document_path: Path | None = None
    """The pipeline document this step belongs to."""

    stop_path: Path | None = None
    """When this file appears, training ends early and outputs its best model."""

    pause_path: Path | None = None
    """When this file appears, training pauses after its next checkpoint, or after that of the epoch
    that the file names."""

    end_time: float = math.inf
    """Time of ``time.monotonic()`` at which training ends early and outputs its best model."""

    cut_short: bool = False
    """Set by a module that ended early on request; its output is then valid only for its run."""

    environment: ScriptEnvironment | None = None
    """Environment of scripts; None: the designer's own Python."""

    launcher: str | None = None
    """Launcher of a module that starts its processes itself; None: the module's default."""

    machine: Machine | None = None
    """Machine of a module that launches on each of several machines: this one, the ``rank``-th.
    None if its nodes, if there are several, are simulated on this machine.
    """

    parameter_server_count: int = 0
    cores_per_process: int | None = None
    """CPU cores of each process; None: all, shared evenly."""

    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables from the run settings."""

    secrets: Mapping[str, str] = field(default_factory=dict)
    """Environment variables whose values are never reported, shown or stored."""

    fingerprint: str | None = None
    """Fingerprint returned by the module when the step was planned."""

    pipeline_parameters: Mapping[str, Any] = field(default_factory=dict)
    """Values of pipeline parameters that the step's own ones name as ``parameters.NAME``."""

    node_dir: Path | None = None
    """Folder for logs of the step, kept with its run; None: the staging folder."""

    attempt_dir: Path | None = None
    """Folder for files of this attempt, kept with its run; None: the staging folder."""

    emit: Callable[[Report], None] = _discard
    _num_folders: int = field(default=0, init=False)
    _spoke: float = field(default=0.0, init=False)

    @property
    def is_first_rank(self) -> bool:
        """Return True on the one rank that writes outputs and reports metrics."""
        return self.rank == 0

    @property
    def document(self) -> DocumentData | None:
        """Return the pipeline document this step belongs to, to store it in models."""
        if self.document_path is None:
            return None
        return dict(json.loads(self.document_path.read_text(encoding="utf-8")))

    @property
    def stop_requested(self) -> bool:
        """Return True once the user requested *Finish early*."""
        return self.stop_path is not None and self.stop_path.exists()

    def is_to_pause(self, epoch: int) -> bool:
        """Return True if training pauses once the checkpoint of this epoch is written."""
        if self.pause_path is None:
            return False
        try:
            text = self.pause_path.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return False
        return epoch >= int(text) if text.isdecimal() else True

    @property
    def threads_now(self) -> int | None:
        """Return the threads it may use while other steps share the machine's cores."""
        if self.cores_path is None:
            return None
        try:
            return int(self.cores_path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def log_path(self, rank: int) -> Path:
        """Return the path of the driver log of a process that the step starts."""
        return (self.node_dir or self.staging_dir) / f"70_driver_log_{rank}.txt"

    def new_folder(self) -> Path:
        """Create a folder for one output; the n-th call returns the same one on every rank.

        Every rank may write to it until it returns; then the folder is sealed.
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
        """Report the progress of the step, with facts for the node: epoch, seconds left."""
        self._tell("progress", done=done, total=total, unit=unit, **facts)

    def phase(self, phase: Phase, **facts: float | str | None) -> None:
        """Report the current phase of the step, with facts: seconds, bytes, what it waits for."""
        self._tell("phase", phase=phase, **facts)

    def alive(self) -> None:
        """Report that the step is alive while it has no progress to report.

        Otherwise it counts as stalled. It may be called as often as convenient.
        """
        now = time.monotonic()
        if now - self._spoke > ALIVE_SECONDS:
            self._spoke = now
            self._tell("alive")

    def warn(self, said: Sentence | Statement | str, **facts: Any) -> None:
        """Show the user a warning that does not stop the step."""
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
        busy_share: float = 0.0,
    ) -> None:
        """Report the time needed for images; forecasts of work of the same name learn from it.

        ``opening_seconds`` were spent before that on opening ``num_opened`` images once each.
        Meanwhile other processes used ``busy_share`` of the cores, 0 to 1.
        """
        facts: Facts = {"num_opened": num_opened, "opening_seconds": opening_seconds}
        if self.world_size == 1:  # otherwise the other processes of the step would count as others
            facts["busy_share"] = round(busy_share, 3)
        self._tell("work", name=name, num_images=num_images, seconds=seconds, **facts)

    def summary(self, said: Sentence | Statement | str, **facts: Any) -> None:
        """Set the node's footer line, such as ``1,797 images, 10 classes``."""
        said = stated(said, facts)
        self._tell("summary", text=presentable(str(said)), **reason_of(said))

    def _tell(self, kind: str, **facts: Any) -> None:
        self.emit({"kind": kind, "rank": self.rank, **facts})
