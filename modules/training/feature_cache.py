"""Features of a frozen backbone in the cache of decoded images: computed once for all trainings.

Shapes: N images, D features.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modules.compute.distributed import ProcessGroup
from modules.image_loading.cache_limits import DECODED_SUFFIX, CacheLimits
from modules.image_loading.decoding import PIXELS_VERSION
from modules.image_loading.memory_mapped import MappedArray
from modules.image_loading.shared_file import cache_folder, shared_file

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from torch import nn

FORMAT_VERSION = 2
BYTES_OF_FLOAT = 4


@dataclass(frozen=True)
class FeatureCache:
    """The location of the cached features of one dataset in one state."""

    name: str
    group: ProcessGroup

    @classmethod
    def of(cls, group: ProcessGroup, backbone: nn.Module, facts: Sequence[Any]) -> FeatureCache:
        """Create the cache; ``facts`` (JSON) are all that decide the features besides weights."""
        machine = [group.world_size, str(group.device.type)]
        text = json.dumps(
            [FORMAT_VERSION, PIXELS_VERSION, *_libraries(), *machine, *facts], sort_keys=True
        )
        digest = hashlib.sha256(text.encode())
        for name, weights in backbone.state_dict().items():
            digest.update(name.encode())
            digest.update(weights.cpu().contiguous().view(-1).numpy().data)
        return cls(f"{digest.hexdigest()}{DECODED_SUFFIX}", group)

    def open(
        self, shape: Sequence[int], compute: Callable[[], Iterable[npt.NDArray[np.float32]]]
    ) -> MappedArray | None:
        """Open the features; return None on every process if one of them has no space for them.

        ``compute`` yields them block after block if they are not cached yet. Then all processes
        call it, and one of those that share a folder writes the result.
        """
        import numpy as np

        num_bytes = int(np.prod(shape)) * BYTES_OF_FLOAT
        limits = CacheLimits.from_environment()
        with (
            cache_folder(self.group.context, self.group) as folder,
            shared_file(folder / self.name, num_bytes, self.group, limits) as shared,
        ):
            if shared is None:
                return None
            offset = 0
            for block in () if shared.is_finished else compute():
                if shared.is_first_maker:
                    shared.write(block.tobytes(), offset)
                offset += block.nbytes
        return MappedArray(shared.file, shape, np.float32)


def _libraries() -> list[str]:
    """Return the versions of the libraries that turn files into features."""
    import PIL
    import torch
    import torchvision

    return [str(library.__version__) for library in (PIL, torch, torchvision)]
