"""Preloads of fork servers, and the environment in which torch is fastest."""

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
    # GNU OpenMP's threads may spin for a few milliseconds at a barrier before they sleep: alone 1.2
    # to 1.4 times as fast as after 1,000 spins. modules/compute/openmp_spin.py shortens the
    # spinning while other processes need the cores.
    "GOMP_SPINCOUNT": "100000",
}
"""Variables set before torch is imported; docs/explanation/performance.md has the measurements."""


def preload_from(name: str) -> Preload:
    """Return the preload of this name. Raises ``StopIteration`` for unknown ones."""
    return next(preload for preload in PRELOADS if preload == name)


def import_preloads(preload: Preload) -> None:
    """Import modules and do nothing more, so that forked processes need not.

    A child forked after an OpenMP computation would hang, and one forked after CUDA is initialized
    could not use it.
    """
    for name in PRELOADS[preload]:
        importlib.import_module(name)
    _load_builtin_modules()
    gc.collect()
    gc.freeze()  # otherwise the garbage collector's marks would copy every page in every child


def import_for_one_step(preload: Preload, *, are_many_alike: bool) -> None:
    """Import what a node that runs one step certainly needs: its module loads the rest.

    ``are_many_alike``: several of its processes run a module of this project and share the pages.
    """
    if are_many_alike:
        import_preloads(preload)
    elif preload == "torch":
        importlib.import_module("torch.distributed")  # of the rank and of the rendezvous store


def _load_builtin_modules() -> None:
    from modules.catalog import builtin_catalog

    builtin_catalog()
