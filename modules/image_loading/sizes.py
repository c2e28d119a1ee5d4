"""Sizes of images in compact form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Size = tuple[int, int]
"""Height and width in pixels."""


class Sizes(Sequence[Size]):
    """Sizes of images in eight bytes each, as there may be millions."""

    def __init__(self, sizes_N2: npt.NDArray[np.int32]) -> None:
        self._sizes_N2 = sizes_N2

    @classmethod
    def of(cls, sizes: Iterable[Size]) -> Sizes:
        import numpy as np

        return cls(np.array(list(sizes), dtype=np.int32).reshape(-1, 2))

    def __len__(self) -> int:
        return len(self._sizes_N2)

    def __getitem__(self, index: Any) -> Any:
        height, width = self._sizes_N2[index]
        return int(height), int(width)

    def some(self, indices: Sequence[int]) -> npt.NDArray[np.int32]:
        """Return heights and widths of some images, shape (N, 2)."""
        return self._sizes_N2[indices]

    def distinct(self) -> set[Size]:
        """Yield each size once."""
        import numpy as np

        return {(int(row[0]), int(row[1])) for row in np.unique(self._sizes_N2, axis=0)}

    def mapped(self, change: Callable[[Size], Size]) -> Sizes:
        """Return the sizes after a change that depends on nothing else."""
        import numpy as np

        distinct_D2, which_N = np.unique(self._sizes_N2, axis=0, return_inverse=True)
        changed = [change((int(row[0]), int(row[1]))) for row in distinct_D2]
        changed_D2 = np.array(changed, dtype=np.int32).reshape(-1, 2)
        return Sizes(changed_D2[which_N.reshape(-1)])
