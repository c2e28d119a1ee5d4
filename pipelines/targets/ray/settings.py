"""Settings of a target that is a Ray cluster, given by the address of its Jobs API."""

from __future__ import annotations

import re
import sys
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import Field, StringConstraints, field_validator, model_validator

from pipelines.document.target_offer import TargetOffer
from pipelines.targets.settings import Program, TargetSettings
from pipelines.workers.step_spec import StepSpec

NOTHING = "none"
"""Value for machines that share no folder."""
RAY_UNITS = 10_000
"""Ray counts resources in ten thousandths; shares are rounded down, so that all of them fit."""
ADDRESS = re.compile(r"https?://[A-Za-z0-9.\[\]:-]{1,255}(?:/[A-Za-z0-9._~/-]*)?")
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")]


class RaySettings(TargetSettings):
    """Running cluster; the setting names the file of its token."""

    address: str = Field(
        description="Address of the dashboard, for example http://ray.example.org:8265."
    )
    token_file: str | None = Field(
        None, min_length=1, description="File with the token, readable only by you."
    )
    max_nodes: int = Field(1, ge=1, le=10_000)
    processes_per_node: int = Field(1, ge=1, le=1024)
    cpus_per_process: int = Field(1, ge=1, le=1024)
    gpus_per_process: int = Field(0, ge=0, le=64)
    keep_warm: int = Field(
        0, ge=0, le=1440, description="Minutes for which torch stays loaded on the machines."
    )
    shared_folder: str | None = Field(
        None,
        description="Folder that contains the workspace. none: the machines share no folder, "
        "and files travel through the workspace's object store.",
    )
    python: Program = Field(sys.executable, description="Python on the machines.")
    interface: Name | None = Field(None, description="Network interface. Default: detected.")

    @field_validator("address")
    @classmethod
    def _is_an_address(cls, text: str) -> str:
        if ADDRESS.fullmatch(text) is None or not _has_host(text):
            raise ValueError("write http://HOST:8265 or https://HOST, the address of the dashboard")
        return text.rstrip("/")

    @model_validator(mode="after")
    def _is_warm_without_gpus(self) -> Self:
        if self.keep_warm and self.gpus_per_process:
            raise ValueError("keep_warm is for processes without GPUs: leave one of them out")
        return self

    @property
    def shares_folder(self) -> bool:
        """Return whether the machines can access the workspace."""
        return self.shared_folder != NOTHING

    def offer(self, name: str) -> TargetOffer:
        """Return the limits of run settings."""
        return TargetOffer(
            name=name,
            kind="ray",
            max_nodes=self.max_nodes,
            processes_per_node=self.processes_per_node,
            gpus=self.gpus_per_process * self.processes_per_node,
        )

    def bundle(self, spec: StepSpec) -> dict[str, float]:
        """Return the resources that Ray reserves for a step on each machine.

        A step with one GPU per machine may share it with others; of several, Ray reserves only
        whole ones.
        """
        processes = spec.process_count_per_node
        cpus = processes * (spec.cores_per_process or self.cpus_per_process)
        gpus: float = processes * self.gpus_per_process
        steps = spec.steps_per_gpu or 1
        if gpus == 1 and steps > 1:
            gpus = RAY_UNITS // steps / RAY_UNITS
        return {"CPU": cpus, **({"GPU": gpus} if gpus else {})}


def _has_host(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
