"""The most confident mistakes of a model, with small previews."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from modules.errors import ModuleError
from modules.files.shard_member import StoredFile
from modules.image_loading.decoding import open_scaled
from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL, LOSS, MARGIN, PATH

if TYPE_CHECKING:
    import pandas as pd

MAX_MISTAKES = 100
PICTURES_FILE = "mistake_pictures.parquet"
"""File next to the scored table: ``path`` and ``picture``, the bytes of a JPEG."""
PICTURE_EDGE = 128
JPEG_QUALITY = 90


def most_confident_mistakes(rows: pd.DataFrame) -> pd.DataFrame:
    """Return at most ``MAX_MISTAKES`` wrongly labelled images, highest confidence first."""
    wrong = rows[rows[CATEGORY].notna() & (rows[CATEGORY] != rows[LABEL])]
    ordered = wrong.sort_values([CONFIDENCE, PATH], ascending=[False, True])
    return ordered.head(MAX_MISTAKES)[[PATH, CATEGORY, LABEL, CONFIDENCE, MARGIN, LOSS]]


def save_pictures(folder: Path, rows: pd.DataFrame, files: Mapping[str, StoredFile]) -> None:
    """Write previews of the most confident mistakes; ``files`` has each path's image file."""
    import pandas as pd

    if CATEGORY not in rows.columns:
        return
    paths = list(most_confident_mistakes(rows)[PATH])
    pictures = [_picture(files[path]) for path in paths]
    pd.DataFrame({PATH: pd.Series(paths, dtype="str"), "picture": pictures}).to_parquet(
        folder / PICTURES_FILE, index=False
    )


def with_pictures(mistakes: pd.DataFrame, scored_dir: Path) -> pd.DataFrame:
    """Return the mistakes with a column ``picture``, null if there is none."""
    import pandas as pd

    path = scored_dir / PICTURES_FILE
    if not path.is_file():
        return mistakes.assign(picture=pd.Series([None] * len(mistakes), dtype="object"))
    pictures = pd.read_parquet(path).drop_duplicates(PATH)
    return mistakes.merge(pictures, on=PATH, how="left")


def _picture(file: StoredFile) -> bytes | None:
    buffer = BytesIO()
    try:
        image = open_scaled(file, (PICTURE_EDGE, PICTURE_EDGE)).within(PICTURE_EDGE)
        image.save(buffer, "JPEG", quality=JPEG_QUALITY)
    except (ModuleError, OSError, ValueError):
        # Previews are optional: the table is complete without them.
        return None
    return buffer.getvalue()
