"""Files of a step: its specification, reports and results.

    <run>/document.json
    <run>/<node>/70_driver_log_<rank>.txt, 70_launcher_log.txt, 70_environment_log.txt
    <run>/<node>/checkpoint/, stop
    <run>/<node>/attempt-<n>/step.json, result.json, agents/
                             events-<rank>.jsonl, error-<rank>.json, ended-<rank>

Files rather than pipes, so that a new runner can continue after a crash.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.context import Context, Machine
from modules.files.shard_cache import LIMIT_BYTES, SHARDS_FOLDER, ShardCache
from pipelines.store.artifacts.cache_keys import key_within
from pipelines.workers.event_files import EventFile

if TYPE_CHECKING:
    from modules.parameters import ParameterValues
    from pipelines.store.artifacts.manifest import StepResult
    from pipelines.store.database.environments import EnvironmentData

STOP = "stop"
"""File in a step's folder that asks it to finish early with its output so far."""
PAUSE = "pause"
"""File in a step's folder with the epoch after which it pauses."""
CORES = "cores"
"""File in an attempt's folder with the number of threads that each rank may use."""


@dataclass(frozen=True)
class StepSpec:
    """Specification of one attempt of one step for a module host."""

    run_id: str
    node: str
    attempt: int
    module_id: str
    origin: dict[str, Any]
    parameters: ParameterValues
    inputs: dict[str, str]
    """Port to the folder of the linked artifact."""
    key: str
    node_dir: str
    staging_dir: str
    datasets_dir: str
    weights_dir: str
    cache_dir: str
    shards_cache_bytes: int = LIMIT_BYTES
    """Limit of a machine's cache for shards of object stores."""
    cut_short: bool = False
    """True if an input comes from an early-finished output: other runs must not reuse it."""
    pause_after: int | None = None
    """Epoch after which it pauses; None: it runs to its end."""
    allowed_roots: Sequence[str] | None = None
    models: dict[str, str] = field(default_factory=dict)
    """Folders of the registered models that the parameters name."""
    node_count: int = 1
    process_count_per_node: int = 1
    launches: bool = False
    """True if its single host starts the processes itself."""
    environment: EnvironmentData | None = None
    """Record of the processes' environment; None: the designer's own."""
    environments_dir: str = ""
    launcher: str | None = None
    parameter_server_count: int = 0
    cores_per_process: int | None = None
    steps_per_gpu: int | None = None
    """Number of steps that share each of its GPUs; None: 1."""
    variables: dict[str, str] = field(default_factory=dict)
    fingerprint: str | None = None
    pipeline_parameters: ParameterValues = field(default_factory=dict)
    threads: int = 1
    gpus: list[str] = field(default_factory=list)
    """As in CUDA_VISIBLE_DEVICES."""
    niceness: int = 0
    target: str = ""
    """Target to which it was submitted, if it continues there without its runner."""
    contents: dict[str, str] = field(default_factory=dict)
    """For machines without access to the workspace: object names of the artifacts that it reads and
    their references."""
    artifacts_cache_bytes: int = 0
    """Limit of such a machine's cache for them."""
    own_root: str = ""
    """Local folder of such a machine in place of the workspace."""
    time_limit_minutes: float = 0.0
    """Limit after which such a target ends it; 0: none."""

    def key_of(self, result: StepResult) -> str:
        """Return the key of its outputs: the run's own if the step was finished early."""
        return key_within(self.key, self.run_id) if result.get("cut_short") else self.key

    @cached_property
    def attempt_dir(self) -> Path:
        return Path(self.node_dir) / f"attempt-{self.attempt}"

    @property
    def host_count(self) -> int:
        """Return the number of hosts: one per machine for a launcher, which simulates nodes."""
        return 1 if self.launches and not self.target else self.node_count

    @property
    def world_size(self) -> int:
        """Return the number of ranks that the module runs on."""
        return self.host_count if self.launches else self.num_processes

    @property
    def num_processes(self) -> int:
        """Return the number of driver logs: one per rank, or per process that the module starts."""
        return self.node_count * self.process_count_per_node + self.parameter_server_count

    @property
    def spec_path(self) -> Path:
        return self.attempt_dir / "step.json"

    @property
    def cores_path(self) -> Path:
        return self.attempt_dir / CORES

    def log_path(self, rank: int) -> Path:
        """Return the driver log of a rank; successive attempts append to it."""
        return Path(self.node_dir) / f"70_driver_log_{rank}.txt"

    def module_log_path(self, rank: int) -> Path:
        """Return the module's own log on a rank."""
        return self.launcher_log_of(rank) if self.launches else self.log_path(rank)

    def launcher_log_of(self, node_rank: int) -> Path:
        """Return the log of a node's launcher; nodes of one machine share it."""
        number = f"_{node_rank}" if node_rank and self.target else ""
        return Path(self.node_dir) / f"70_launcher_log{number}.txt"

    def environment_log_of(self, rank: int) -> Path:
        """Return the log of building the environment; machines may build separately."""
        number = f"_{rank}" if rank and self.own_root else ""
        return Path(self.node_dir) / f"70_environment_log{number}.txt"

    @property
    def result_path(self) -> Path:
        return self.attempt_dir / "result.json"

    @property
    def paused_path(self) -> Path:
        """Return the file that an attempt writes instead of a result when it pauses."""
        return self.attempt_dir / "paused.json"

    @property
    def artifact_path(self) -> Path:
        """Return the id of its outputs in the store, known before they are moved there."""
        return self.attempt_dir / "artifact.json"

    def error_path(self, rank: int) -> Path:
        return self.attempt_dir / f"error-{rank}.json"

    def end_path(self, rank: int) -> Path:
        """Return the file that exists when one of several ranks has succeeded and exited."""
        return self.attempt_dir / f"ended-{rank}"

    def events_path(self, rank: int) -> Path:
        return self.attempt_dir / f"events-{rank}.jsonl"

    @property
    def events_paths(self) -> list[Path]:
        """Return the event files of all ranks, rank 0 first."""
        return [self.events_path(rank) for rank in range(self.world_size)]

    def write(self) -> None:
        """Write it for a host."""
        # not higher: the run may have been deleted
        for folder in (Path(self.node_dir), self.attempt_dir):
            folder.mkdir(exist_ok=True)
        pause = Path(self.node_dir) / PAUSE
        if self.pause_after is None:
            pause.unlink(missing_ok=True)
        else:
            pause.write_text(str(self.pause_after), encoding="ascii")
        facts = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        self.spec_path.write_text(json.dumps(facts), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> StepSpec:
        facts = json.loads(path.read_text(encoding="utf-8"))
        gpus = [str(fact) for fact in facts.get("gpus", ())]  # earlier versions wrote numbers
        return cls(**{**facts, "gpus": gpus})

    @property
    def shard_cache(self) -> ShardCache:
        """Return this machine's cache for shards of object stores."""
        return ShardCache(Path(self.cache_dir) / SHARDS_FOLDER, self.shards_cache_bytes)

    @classmethod
    def find(cls, attempt_dir: Path) -> StepSpec | None:
        """Return that of an attempt; None if none can be read."""
        try:
            return cls.read(attempt_dir / "step.json")
        except (OSError, ValueError, TypeError):
            return None

    def context(
        self, rank: int, local_rank: int, events: EventFile, machine: Machine | None = None
    ) -> Context:
        """Return the module's context on one rank."""
        roots = self.allowed_roots
        return Context(
            staging_dir=Path(self.staging_dir),
            checkpoint_dir=Path(self.node_dir) / "checkpoint",
            cache_dir=Path(self.cache_dir),
            weights_dir=Path(self.weights_dir),
            datasets_dir=Path(self.datasets_dir),
            models={name: Path(folder) for name, folder in self.models.items()},
            allowed_roots=None if roots is None else tuple(Path(root) for root in roots),
            node_count=self.node_count,
            process_count_per_node=self.process_count_per_node,
            rank=rank,
            local_rank=local_rank,
            world_size=self.world_size,
            threads=self.threads,
            cores_path=None if self.target else self.cores_path,
            document_path=Path(self.node_dir).parent / "document.json",
            stop_path=Path(self.node_dir) / STOP,
            pause_path=Path(self.node_dir) / PAUSE,
            launcher=self.launcher,
            machine=machine,
            parameter_server_count=self.parameter_server_count,
            cores_per_process=self.cores_per_process,
            variables=self.variables,
            fingerprint=self.fingerprint,
            pipeline_parameters=self.pipeline_parameters,
            node_dir=Path(self.node_dir),
            attempt_dir=self.attempt_dir,
            emit=events.emit,
        )
