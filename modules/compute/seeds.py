"""Seeds of random numbers, derived from facts."""

from __future__ import annotations

import hashlib
import os
import random


def derived_seed(*facts: int | str) -> int:
    """Return a seed below 2**63 that differs for any other facts."""
    text = "/".join(map(str, facts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def seed_everything(seed: int, *, reproducible: bool) -> None:
    """Seed Python, numpy and torch; with ``reproducible``, allow only deterministic kernels."""
    import numpy as np
    import torch

    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.backends.cuda.matmul.allow_tf32 = not reproducible
        torch.backends.cudnn.allow_tf32 = not reproducible
    if reproducible:
        # cuBLAS is deterministic only with a fixed workspace, chosen before its first use.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(reproducible)
