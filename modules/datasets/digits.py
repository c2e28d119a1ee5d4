"""The sample ``digits``: scikit-learn's copy of the UCI "Optical Recognition of Handwritten
Digits" test set (Alpaydin and Kaynak, 1998), 1,797 scans by 13 people.

The scans are 8 x 8 pixels with 17 grey levels; here they are 8-bit grey PNG files of 32 x 32
pixels (enlarged with Lanczos), since networks for images halve their input five times.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZE = 32
_TABLE = "datasets/data/digits.csv.gz"


def write_digits(folder: Path) -> None:
    """Write ``<digit>/<number of the scan>.png`` for all 1,797 scans."""
    import numpy as np
    from PIL import Image

    table = _read_table()
    scans_NHW = np.rint(table[:, :64] * (255 / 16)).astype(np.uint8).reshape(-1, 8, 8)
    labels = table[:, 64].astype(int).tolist()
    for digit in range(10):
        (folder / str(digit)).mkdir(parents=True)
    for number, (scan_HW, digit) in enumerate(zip(scans_NHW, labels, strict=True)):
        image = Image.fromarray(scan_HW).resize((SIZE, SIZE), Image.Resampling.LANCZOS)
        image.save(folder / str(digit) / f"{number:04}.png", compress_level=1)


def _read_table() -> NDArray[np.float64]:
    """Return 64 grey levels (0-16) and the digit, one row per scan.

    scikit-learn's file is read directly from its usual location, as importing the library takes
    longer than everything else.
    """
    import numpy as np

    package = find_spec("sklearn")
    for folder in (package.submodule_search_locations or ()) if package else ():
        path = Path(folder) / _TABLE
        if path.is_file():
            return np.loadtxt(path, delimiter=",")
    from sklearn.datasets import load_digits

    digits = load_digits()
    return np.column_stack((digits.data, digits.target))
