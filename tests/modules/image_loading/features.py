"""Features of twenty images that do not exist."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import numpy.typing as npt

SHAPE = (3, 2)
HASHES = [sha256(bytes([number])).digest() for number in range(20)]
ROWS: npt.NDArray[np.float32] = np.arange(20 * 6, dtype=np.float32).reshape(20, *SHAPE)
