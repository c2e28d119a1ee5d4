"""The launchers: each a pure function from what is to be started to the processes to start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from modules.scripts.launchers import mpi, none, pytorch_node, pytorch_process, tensorflow
from modules.scripts.launchers.process_description import Launch, ProcessDescription

USUAL = "pytorch_process"
"""What starts the processes where the run settings do not say."""


class Launcher(NamedTuple):
    """How many ports its processes need, and the processes."""

    num_ports: Callable[[Launch], int]
    plan: Callable[[Launch], list[ProcessDescription]]


LAUNCHERS: Mapping[str, Launcher] = MappingProxyType(
    {
        "none": Launcher(none.num_ports, none.plan),
        "pytorch_process": Launcher(pytorch_process.num_ports, pytorch_process.plan),
        "pytorch_node": Launcher(pytorch_node.num_ports, pytorch_node.plan),
        "mpi": Launcher(mpi.num_ports, mpi.plan),
        "tensorflow": Launcher(tensorflow.num_ports, tensorflow.plan),
    }
)
