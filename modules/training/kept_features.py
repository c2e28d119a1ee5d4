"""Features of a frozen backbone in the cache of decoded images: computed once for all trainings.

Shapes: N images, D features.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.images.cache import SLAB_SUFFIX, UNFINISHED_SUFFIX, CacheLimits, make_room
from modules.images.locks import hold
from modules.training.distributed import Group

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from torch import nn

    Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class KeptFeatures:
    """The place of the features of one view of one data set; None where nothing is kept."""

    path: Path | None
    group: Group

    @classmethod
    def of(cls, group: Group, backbone: nn.Module, facts: Sequence[Any]) -> KeptFeatures:
        """``facts`` (JSON) say what besides the backbone's weights decides the features' bits."""
        folder = group.context.cache_dir
        if folder is None:
            return cls(None, group)
        text = json.dumps([*facts, group.world_size, str(group.device.type)], sort_keys=True)
        digest = hashlib.sha256(text.encode())
        for name, weights in backbone.state_dict().items():
            digest.update(name.encode())
            digest.update(weights.cpu().contiguous().view(-1).numpy().data)
        return cls(folder / f"{digest.hexdigest()}{SLAB_SUFFIX}", group)

    def get(self) -> Floats | None:
        """The features, on every process or on none."""
        found = None if self.path is None else _loaded(self.path)
        return None if self.group.any(found is None) else found

    def put(self, features_ND: Floats) -> None:
        """Keep them as long as there is room; one process of each machine does so."""
        import numpy as np

        if self.path is None or self.group.context.local_rank != 0:
            return
        limits = CacheLimits.from_environment()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not limits.allow(features_ND.nbytes, self.path.parent):
            return
        make_room(self.path.parent, features_ND.nbytes, limits)
        unfinished = self.path.with_name(f"{self.path.stem[:32]}-{os.getpid()}{UNFINISHED_SUFFIX}")
        # A full disk is no reason to end a training that has its features.
        with suppress(OSError):
            try:
                with unfinished.open("wb") as file:
                    hold(file)
                    np.save(file, features_ND)
                    unfinished.replace(self.path)
            finally:
                unfinished.unlink(missing_ok=True)


def _loaded(path: Path) -> Floats | None:
    import numpy as np

    try:
        features_ND: Floats = np.load(path, allow_pickle=False)
        os.utime(path)
    except (OSError, ValueError, EOFError):
        return None
    return features_ND
