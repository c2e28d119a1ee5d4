"""Settings of a target that is a namespace of a Kubernetes cluster."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator

from pipelines.document.target_offer import TargetOffer
from pipelines.targets.settings import Program, TargetSettings
from pipelines.workers.step_spec import StepSpec

Label = Annotated[str, StringConstraints(pattern=r"^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$")]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$")]
Image = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,499}$")]
Resource = Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]{1,253}/[A-Za-z0-9._-]{1,63}$")]
Quantity = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,11}(?:[kMGTPE]|[KMGTPE]i)?$")]
Interface = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")]
SELECTION = re.compile(r"([A-Za-z0-9][A-Za-z0-9./_-]{0,316})=([A-Za-z0-9]?[A-Za-z0-9._-]{0,62})")


class KubernetesSettings(TargetSettings):
    """Settings under Kubernetes' names where they exist; the identity is only in the kubeconfig."""

    image: Image = Field(
        description="Container image in which this version of the project is installed."
    )
    claim: Name = Field(description="Volume claim that all pods and this machine mount.")
    namespace: Label = "default"
    context: str | None = Field(
        None, min_length=1, max_length=500, description="Context of kubectl."
    )
    kubeconfig: str | None = Field(
        None, min_length=1, description="Path. Default: that of kubectl."
    )
    queue: Name | None = Field(None, description="LocalQueue of Kueue.")
    pull_secret: Name | None = Field(None, description="Pull secret of a private registry.")
    node_selector: str = Field(
        "", max_length=2000, description="Labels of nodes, for example accelerator=a100."
    )
    max_nodes: int = Field(1, ge=1, le=10_000)
    processes_per_node: int = Field(1, ge=1, le=1024)
    cpus_per_process: int = Field(1, ge=1, le=1024)
    gpus_per_process: int = Field(0, ge=0, le=64)
    gpu_resource: Resource = "nvidia.com/gpu"
    memory: Quantity | None = Field(None, description="Memory per pod, for example 32Gi.")
    user: int | None = Field(
        None, ge=1, lt=2**31, description="User ID of the pods. Default: your own."
    )
    shared_folder: str | None = Field(
        None, description="Folder at which the claim is mounted, on this machine and in pods."
    )
    python: Program = Field("python3", description="Python in the image.")
    interface: Interface | None = Field(None, description="Network interface. Default: detected.")

    @field_validator("node_selector")
    @classmethod
    def _selects(cls, text: str) -> str:
        for word in _words(text):
            if SELECTION.fullmatch(word) is None:
                raise ValueError(f"{word!r} is not a node selector; write label=value, label=value")
        return ", ".join(_words(text))

    @field_validator("shared_folder")
    @classmethod
    def _is_a_whole_path(cls, text: str | None) -> str | None:
        if text is not None and re.fullmatch(r"/[^:\0]*[^:\0/]", text) is None:
            raise ValueError("write the absolute path of a folder, without a colon")
        return text

    @property
    def selection(self) -> dict[str, str]:
        """Return the labels of nodes that pods may run on."""
        return dict(word.split("=") for word in _words(self.node_selector))

    def offer(self, name: str) -> TargetOffer:
        """Return the limits of run settings."""
        return TargetOffer(
            name=name,
            kind="kubernetes",
            max_nodes=self.max_nodes,
            processes_per_node=self.processes_per_node,
            gpus=self.gpus_per_process * self.processes_per_node,
        )

    def resources(self, processes: int, cores_per_process: int | None = None) -> dict[str, str]:
        """Return the resources of a pod with this many processes, in Kubernetes' terms."""
        gpus = processes * self.gpus_per_process
        return {
            "cpu": str(processes * (cores_per_process or self.cpus_per_process)),
            **({"memory": self.memory} if self.memory else {}),
            **({self.gpu_resource: str(gpus)} if gpus else {}),
        }

    def resources_of(self, spec: StepSpec) -> dict[str, str]:
        """Return the resources of each pod of a step."""
        return self.resources(spec.process_count_per_node, spec.cores_per_process)


def _words(text: str) -> list[str]:
    return [part for part in re.split(r"[,\s]+", text) if part]
