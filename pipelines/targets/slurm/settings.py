"""Settings of a target that is a Slurm cluster, and the resulting job."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator

from pipelines.document.target_offer import TargetOffer
from pipelines.targets.settings import Program, TargetSettings
from pipelines.targets.slurm.options import NOT_IN_SRUN, read_sbatch_options
from pipelines.workers.agent_files import AgentFiles
from pipelines.workers.step_spec import StepSpec

Word = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.,:=/+@-]{0,199}$")]
TIME = re.compile(r"(?:(?:(\d+)-)?(\d+):)?(\d+)(?::(\d+))?")
LOG = "slurm.log"
"""Output of a job, among the files of its agents."""
MARGIN_MINUTES = 2
"""A step's own limit ends it first: Slurm may be up to a minute early."""
SCRIPT = Path(__file__).with_name("job.sh")


class SlurmSettings(TargetSettings):
    """Settings under Slurm's names where it has them."""

    partition: Word | None = None
    account: Word | None = None
    qos: Word | None = None
    gres: Word | None = Field(None, description="Generic resources per machine, for example gpu:4.")
    time_limit: str | None = Field(
        None, description="Time limit per job: minutes, or Slurm's format."
    )
    extra: str = Field("", max_length=2000, description="Additional options of sbatch.")
    max_nodes: int = Field(1, ge=1, le=10_000)
    processes_per_node: int = Field(
        0, ge=0, le=1024, description="Processes per machine. 0: one per GPU in gres."
    )
    shared_folder: str | None = Field(
        None, description="Shared folder that contains the workspace."
    )
    python: Program = Field(sys.executable, description="Python on the machines.")
    interface: Word | None = Field(None, description="Network interface. Default: detected.")

    @field_validator("time_limit")
    @classmethod
    def _is_a_time(cls, text: str | None) -> str | None:
        if text is not None and TIME.fullmatch(text) is None:
            raise ValueError("write minutes, hours:minutes:seconds or days-hours:minutes:seconds")
        return text

    @field_validator("extra")
    @classmethod
    def _adds_allowed_options(cls, text: str) -> str:
        read_sbatch_options(text)
        return text

    @property
    def gpus(self) -> int:
        """Return the GPUs of each machine."""
        match = re.search(r"gpu(?::[A-Za-z][^:,]*)?(?::(\d+))?", self.gres or "")
        return int(match[1] or 1) if match else 0

    def offer(self, name: str) -> TargetOffer:
        """Return the limits of run settings."""
        return TargetOffer(
            name=name,
            kind="slurm",
            max_nodes=self.max_nodes,
            processes_per_node=self.processes_per_node or self.gpus or 1,
            gpus=self.gpus,
        )

    def options(self, *, nodes: int, cores: int, minutes: float = 0.0) -> list[str]:
        """Return options of ``sbatch`` and ``srun`` for one agent per machine, not ``extra``.

        ``minutes`` is the step's own limit.
        """
        limit = str(math.ceil(minutes) + MARGIN_MINUTES) if minutes else self.time_limit
        named = {
            "partition": self.partition,
            "account": self.account,
            "qos": self.qos,
            "gres": self.gres,
            "time": limit,
            "nodes": str(nodes),
            "ntasks": str(nodes),
            "ntasks-per-node": "1",
            "cpus-per-task": str(cores),
        }
        return [f"--{name}={value}" for name, value in named.items() if value is not None]

    def sbatch_extra(self) -> list[str]:
        """Return the options in ``extra`` as arguments of ``sbatch``."""
        return [str(option) for option in read_sbatch_options(self.extra)]

    def srun_extra(self) -> list[str]:
        """Return those of ``extra`` that ``srun`` knows."""
        options = read_sbatch_options(self.extra)
        return [str(option) for option in options if option.name not in NOT_IN_SRUN]

    def step_command(self, name: str, spec: StepSpec) -> list[str]:
        """Return the command that submits a step."""
        cores = spec.process_count_per_node * (spec.cores_per_process or 1)
        log = str(AgentFiles(spec.attempt_dir).folder / LOG).replace("%", "%%")
        nodes = spec.host_count
        return [
            *("sbatch", "--parsable", f"--job-name={name}"),
            *(f"--output={log}", "--open-mode=append"),
            *self.options(nodes=nodes, cores=cores, minutes=spec.time_limit_minutes),
            *("--no-requeue", *self.sbatch_extra()),
            *(str(SCRIPT), self.python, "-m", "pipelines.workers.agent", str(spec.spec_path)),
            *("--rank-from", "SLURM_NODEID"),
        ]
