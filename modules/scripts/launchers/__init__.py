"""The launchers: each a pure function from a launch to the processes to start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from modules.scripts.launchers import mpi, none, pytorch_node, pytorch_process, tensorflow
from modules.scripts.launchers.process_description import Launch, ProcessDescription

USUAL = "pytorch_process"
"""Default launcher if the run settings specify none."""


class Launcher(NamedTuple):
    """The nodes on which its processes need a port, one entry per port, and the processes."""

    port_nodes: Callable[[Launch], list[int]]
    plan: Callable[[Launch], list[ProcessDescription]]


LAUNCHERS: Mapping[str, Launcher] = MappingProxyType(
    {
        "none": Launcher(none.port_nodes, none.plan),
        "pytorch_process": Launcher(pytorch_process.port_nodes, pytorch_process.plan),
        "pytorch_node": Launcher(pytorch_node.port_nodes, pytorch_node.plan),
        "mpi": Launcher(mpi.port_nodes, mpi.plan),
        "tensorflow": Launcher(tensorflow.port_nodes, tensorflow.plan),
    }
)
