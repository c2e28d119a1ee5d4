"""Scoring of a folder in shards that are kept: a killed scoring continues with the next shard.

A shard is a Parquet file named after its model, its files and their sizes and times. If files were
added, removed or changed, new shards take the rows of all other files from the earlier ones. So a
repeated scoring scores only what is new or has changed, and no image twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from modules.errors import InvalidDatasetError, ModuleError
from modules.files.names import printable
from modules.files.scanning import ScannedFile, scan
from modules.files.whole_files import replacing
from modules.image_loading.image_formats import has_image_extension
from modules.operating_system.machine import num_cores
from modules.scoring.score_table import CONFIDENCE
from modules.scoring.web_service_output import FILE, PROBABILITY
from modules.scoring.web_service_output import PREDICTED as LABEL
from modules.sentences import scoring as say

if TYPE_CHECKING:
    import pandas as pd

    from modules.scoring.picture_scoring import PictureScorer

SHARD_IMAGES = 500
ERROR = "error"
KEY = "key"
"""Column of the shards with the model and file of a row, as a hash; not in the result."""
SHARDS, TABLE, CSV = "shards", "predictions.parquet", "predictions.csv"


@dataclass(frozen=True)
class BatchResult:
    """Numbers of a scoring."""

    images: int
    failed: int
    """Images that could not be read; their rows have an error instead of a label."""
    scored_now: int
    """Images of this call; the others were scored by earlier ones."""


def score_folder(
    scorer: PictureScorer,
    model_key: str,
    folder: Path,
    output: Path,
    *,
    shard_images: int = SHARD_IMAGES,
    report: Callable[[int, int], None] = lambda _done, _total: None,
) -> BatchResult:
    """Score all images below a folder.

    Args:
        scorer: Loaded model.
        model_key: Text that identifies the model, such as ``birds@3``.
        folder: Images, in folders of any depth.
        output: Folder for the shards, ``predictions.parquet`` and ``predictions.csv``.
        shard_images: Images of a shard. Another number makes other shards.
        report: Called with the finished and all images after each shard.

    Raises:
        InvalidDatasetError: There are no images.
    """
    files = [file for file in sorted(scan(folder).files) if has_image_extension(file.path)]
    if not files:
        raise InvalidDatasetError(say.NO_IMAGES_IN_FOLDER, folder=str(folder))
    (output / SHARDS).mkdir(parents=True, exist_ok=True)
    earlier = _EarlierRows(output / SHARDS)
    done = scored_now = 0
    paths: list[Path] = []
    with ThreadPoolExecutor(num_cores(), "decode") as pool:
        for number, shard in enumerate(_shards(files, shard_images)):
            path = output / SHARDS / f"{number:06}-{_shard_key(model_key, shard)}.parquet"
            if not _is_sound(path, shard):
                keys = {_key(model_key, file): file for file in shard}
                rows = earlier.rows(list(keys))
                missing = {key: file for key, file in keys.items() if key not in rows.index}
                scored = _scored(scorer, folder, list(missing.values()), pool)
                rows = _in_order(keys, rows, scored.set_axis(list(missing)))
                with replacing(path, durably=True) as fresh:
                    rows.to_parquet(fresh)
                scored_now += len(missing)
            paths.append(path)
            done += len(shard)
            report(done, len(files))
    failed = _join(paths, output)
    for path in set((output / SHARDS).glob("*.parquet")) - set(paths):
        path.unlink()  # of files that are gone or have changed
    return BatchResult(len(files), failed, scored_now)


def _shards(files: Sequence[ScannedFile], size: int) -> Iterator[Sequence[ScannedFile]]:
    for start in range(0, len(files), size):
        yield files[start : start + size]


def _shard_key(model_key: str, shard: Sequence[ScannedFile]) -> str:
    digest = hashlib.sha256(f"{model_key}\n".encode())
    for file in shard:
        line = f"{file.path}\0{file.num_bytes}\0{file.mtime_ns}\n"
        digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:16]


def _key(model_key: str, file: ScannedFile) -> str:
    return _shard_key(model_key, [file])


class _EarlierRows:
    """Rows of the shards that exist at the start."""

    def __init__(self, folder: Path) -> None:
        self._paths = sorted(folder.glob("*.parquet"))

    @cached_property
    def _path_of(self) -> dict[str, Path]:
        """Return the shard of each row by its key; none of damaged shards, or of version 1.0.0."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        paths: dict[str, Path] = {}
        for path in self._paths:
            with suppress(OSError, KeyError, pa.ArrowException):
                paths |= dict.fromkeys(pq.read_table(path, columns=[KEY])[KEY].to_pylist(), path)
        return paths

    def rows(self, keys: Sequence[str]) -> pd.DataFrame:
        """Return the rows with these keys, as far as they exist, by key."""
        import pandas as pd
        import pyarrow as pa

        tables = []
        for path in dict.fromkeys(self._path_of[key] for key in keys if key in self._path_of):
            with suppress(OSError, KeyError, pa.ArrowException):
                table = pd.read_parquet(path)
                tables.append(table[table.index.isin(keys)])
        return pd.concat(tables) if tables else pd.DataFrame()


def _in_order(keys: Iterable[str], *tables: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of tables in the order of their keys."""
    import pandas as pd

    rows = pd.concat([table for table in tables if len(table)]).loc[list(keys)]
    return rows.rename_axis(KEY)


def _is_sound(path: Path, shard: Sequence[ScannedFile]) -> bool:
    """Return True for a shard with its files; one that a full disk has damaged is scored again."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        names: list[str] = pq.read_table(path)[FILE].to_pylist()
    except (OSError, KeyError, pa.ArrowException):  # missing or damaged
        return False
    return names == [printable(file.path) for file in shard]


def _scored(
    scorer: PictureScorer, folder: Path, shard: Sequence[ScannedFile], pool: ThreadPoolExecutor
) -> pd.DataFrame:
    """Return one row per file: its label, confidence and probabilities, or its error."""
    import numpy as np
    import pandas as pd

    def read(file: ScannedFile) -> np.ndarray | str:
        try:
            return scorer.pixels((folder / file.path).read_bytes())
        except (ModuleError, OSError) as error:
            return printable(str(error))

    rows: list[dict[str, object]] = []
    for start in range(0, len(shard), scorer.batch_size):
        batch = shard[start : start + scorer.batch_size]
        read_ones = list(pool.map(read, batch))
        pictures = [pixels for pixels in read_ones if not isinstance(pixels, str)]
        scores = iter(scorer.probabilities(pictures)) if pictures else iter(())
        for file, pixels in zip(batch, read_ones, strict=True):
            if isinstance(pixels, str):
                rows.append({FILE: printable(file.path), ERROR: pixels})
                continue
            probabilities_K = next(scores)
            best = int(probabilities_K.argmax())
            values = dict(zip(scorer.classes, map(float, probabilities_K), strict=True))
            rows.append(
                {
                    FILE: printable(file.path),
                    LABEL: scorer.classes[best],
                    CONFIDENCE: float(probabilities_K[best]),
                    **{f"{PROBABILITY}{name}": value for name, value in values.items()},
                    ERROR: None,
                }
            )
    columns = [FILE, LABEL, CONFIDENCE, *(f"{PROBABILITY}{name}" for name in scorer.classes), ERROR]
    table = pd.DataFrame(rows, columns=columns)
    return table.astype({FILE: "str", LABEL: "str", ERROR: "str"}).astype(
        dict.fromkeys(columns[2:-1], "float32")
    )


def _join(paths: Sequence[Path], output: Path) -> int:
    """Write the table and the CSV file of all shards; return the number of failed images."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv

    failed = 0
    whole = pq.read_schema(paths[0])
    first = pa.schema([field for field in whole if field.name != KEY])
    with (
        replacing(output / TABLE) as table_path,
        replacing(output / CSV) as csv_path,
        pq.ParquetWriter(table_path, first) as table,
        csv.CSVWriter(csv_path, first) as text,
    ):
        for path in paths:  # one shard at a time, so that millions of rows fit into memory
            rows = pq.read_table(path, schema=first)
            failed += rows[LABEL].null_count
            table.write_table(rows)
            text.write_table(rows)
    return failed
