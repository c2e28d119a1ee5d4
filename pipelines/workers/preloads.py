"""What fork servers load once for all their hosts; the environment in which torch is fastest."""

from __future__ import annotations

import gc
import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modules.spec import Preload

PANDAS_IMPORTS = ("numpy", "pandas", "pyarrow.parquet", "PIL.Image")
TORCH_IMPORTS = (
    "torch",
    "torch._dynamo",
    "torch.distributed",
    "torch.nn.parallel",
    "torch.optim",
    "torchvision",
    "torchvision.transforms.v2",
    "safetensors.torch",
)
PRELOADS: dict[Preload, tuple[str, ...]] = {
    "nothing": (),
    "pandas": PANDAS_IMPORTS,
    "torch": PANDAS_IMPORTS + TORCH_IMPORTS,
}
TORCH_ENVIRONMENT = {
    # glibc keeps freed blocks instead of unmapping them: +10-15 % training, 2.3x eager scoring
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "17179869184",
    "MALLOC_TOP_PAD_": "67108864",
    # GNU OpenMP's threads may spin for a few milliseconds at a barrier before they sleep: alone
    # 1.2 to 1.4 times as fast as after 1,000 spins. modules/compute/openmp_spin.py sees to it that
    # they spin briefly while others want the cores.
    "GOMP_SPINCOUNT": "100000",
}
"""Set before torch is loaded; the measurements behind them are those of the speed notes."""


def preload_from(name: str) -> Preload:
    """What is to be preloaded, by its name; raises ``StopIteration`` for others."""
    return next(each for each in PRELOADS if each == name)


def import_preloads(preload: Preload) -> None:
    """Import, and nothing more, so that processes forked from this one need not.

    A child forked after any computation of OpenMP would hang, and one forked after a touch of CUDA
    could not use it.
    """
    for name in PRELOADS[preload]:
        importlib.import_module(name)
    _load_builtin_modules()
    gc.collect()
    gc.freeze()  # or the collector's marks would copy every page in every child


def import_for_one_step(preload: Preload, *, are_many_alike: bool) -> None:
    """Import what is sure to be wanted on a node that runs one step: its module loads the rest.

    ``are_many_alike``: several of its processes run a module of this project, which share all."""
    if are_many_alike:
        import_preloads(preload)
    elif preload == "torch":
        importlib.import_module("torch.distributed")  # of the rank and of the store where they meet


def _load_builtin_modules() -> None:
    from modules.catalog import builtin_catalog

    builtin_catalog()
