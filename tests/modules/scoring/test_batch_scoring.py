"""A folder scored in shards: resumed after a kill, none twice, bad files in their rows."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

from modules.artifacts import TrainedModel
from modules.context import Context
from modules.errors import InvalidDatasetError
from modules.scoring.batch_scoring import BatchResult, score_folder
from modules.scoring.picture_scoring import PictureScorer, open_picture_scorer
from tests.modules.scoring.small import CLASSES, random_model

KILLED = """
import os, signal, sys
from pathlib import Path
from modules.artifacts import TrainedModel
from modules.context import Context
from modules.scoring.batch_scoring import score_folder
from modules.scoring.picture_scoring import open_picture_scorer

model, folder, output = map(Path, sys.argv[1:])

def report(done, total):
    if done >= 8:
        os.kill(os.getpid(), signal.SIGKILL)

with open_picture_scorer(TrainedModel(model), Context(output / "scratch")) as scorer:
    score_folder(scorer, "m@1", folder, output, shard_images=4, report=report)
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel:
    return random_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def scorer(model: TrainedModel, tmp_path: Path) -> Iterator[PictureScorer]:
    with open_picture_scorer(model, Context(tmp_path / "scratch")) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eighteen images in two folders, of which one is broken, and a text."""
    root = tmp_path / "images"
    for number in range(17):
        place = root / ("a" if number % 2 else "b c")
        place.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (40 + number, 50), (number * 10, 90, 200)).save(place / f"{number}.png")
    (root / "a" / "broken.jpg").write_bytes(b"no image")
    (root / "notes.txt").write_text("x")
    return root


def scored(scorer: PictureScorer, folder: Path, output: Path, key: str = "m@1") -> BatchResult:
    return score_folder(scorer, key, folder, output, shard_images=4)


def test_every_image_has_one_row_in_both_files(
    scorer: PictureScorer, folder: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    assert scored(scorer, folder, output) == BatchResult(18, 1, 18)
    rows = pd.read_parquet(output / "predictions.parquet")
    assert list(rows.columns) == [
        "file",
        "label",
        "confidence",
        *(f"probability {name}" for name in CLASSES),
        "error",
    ]
    assert rows["file"].is_unique
    whole = rows[rows["error"].isna()]
    assert len(whole) == 17
    assert (
        whole[[f"probability {name}" for name in CLASSES]].sum(axis=1).between(0.999, 1.001).all()
    )
    [broken] = rows[rows["error"].notna()].to_dict("records")
    assert broken["file"] == "a/broken.jpg"
    with (output / "predictions.csv").open(newline="") as file:
        texts = list(csv.DictReader(file))
    assert [row["file"] for row in texts] == list(rows["file"])


def test_names_that_are_not_utf_8_have_rows(
    scorer: PictureScorer, folder: Path, tmp_path: Path
) -> None:
    for name in (b"\xff\xfe.png", b"broken\xff.jpg"):
        source = folder / ("a/1.png" if name.endswith(b".png") else "a/broken.jpg")
        (folder / os.fsdecode(name)).write_bytes(source.read_bytes())
    output = tmp_path / "out"
    assert scored(scorer, folder, output) == BatchResult(20, 2, 20)
    rows = pd.read_parquet(output / "predictions.parquet").set_index("file")
    assert rows["label"]["\ufffd\ufffd.png"] == rows["label"]["a/1.png"]
    assert rows["error"]["broken\ufffd.jpg"]
    assert scored(scorer, folder, output).scored_now == 0


@pytest.mark.extended
def test_a_killed_scoring_continues_and_scores_nothing_twice(
    scorer: PictureScorer, folder: Path, model: TrainedModel, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(model.path), str(folder), str(output)],
        env={**os.environ},
        capture_output=True,
        text=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not (output / "predictions.csv").exists()
    shards = sorted((output / "shards").glob("*.parquet"))
    assert len(shards) == 2
    times = [path.stat().st_mtime_ns for path in shards]
    assert scored(scorer, folder, output) == BatchResult(18, 1, 10)
    assert [path.stat().st_mtime_ns for path in shards] == times
    again = tmp_path / "again"
    scored(scorer, folder, again)
    assert (again / "predictions.csv").read_bytes() == (output / "predictions.csv").read_bytes()


def test_only_what_has_changed_is_scored_again(
    scorer: PictureScorer, folder: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    scored(scorer, folder, output)
    assert scored(scorer, folder, output).scored_now == 0
    Image.new("RGB", (64, 64)).save(folder / "b c" / "16.png")
    assert scored(scorer, folder, output).scored_now == 1
    (folder / "b c" / "8.png").unlink()
    assert scored(scorer, folder, output) == BatchResult(17, 1, 0)
    assert len(list((output / "shards").glob("*.parquet"))) == 5
    assert scored(scorer, folder, output, "m@2").scored_now == 17


def test_a_new_image_moves_the_rows_of_all_others(
    scorer: PictureScorer, folder: Path, tmp_path: Path
) -> None:
    """Rows are moved, not scored again, and the result is that of a first scoring."""
    output = tmp_path / "out"
    scored(scorer, folder, output)
    shards = sorted((output / "shards").iterdir())
    shards[2].write_bytes(b"damaged")  # its rows cannot be moved
    Image.new("RGB", (64, 64)).save(folder / "a" / "0 first.png")
    assert scored(scorer, folder, output) == BatchResult(19, 1, 1 + 4)
    assert not set(shards) & set((output / "shards").iterdir())
    again = tmp_path / "again"
    scored(scorer, folder, again)
    moved, first = (pd.read_parquet(table / "predictions.parquet") for table in (output, again))
    assert list(moved.columns)[-1] == "error"
    pd.testing.assert_frame_equal(moved, first)  # within 1e-5: batches differ


def test_shards_of_an_earlier_version_are_used(
    scorer: PictureScorer, folder: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    scored(scorer, folder, output)
    before = (output / "predictions.csv").read_bytes()
    for shard in (output / "shards").iterdir():
        pd.read_parquet(shard).to_parquet(shard, index=False)
    assert scored(scorer, folder, output).scored_now == 0
    assert (output / "predictions.csv").read_bytes() == before
    Image.new("RGB", (64, 64)).save(folder / "z.png")  # in the last shard
    assert scored(scorer, folder, output).scored_now == 3


@pytest.mark.parametrize("damage", [0, 200, -1])
def test_damaged_shards_are_scored_again(
    scorer: PictureScorer, folder: Path, tmp_path: Path, damage: int
) -> None:
    output = tmp_path / "out"
    scored(scorer, folder, output)
    before = pd.read_parquet(output / "predictions.parquet")
    shard = sorted((output / "shards").iterdir())[1]
    content = shard.read_bytes()
    shard.write_bytes(content[:damage] if damage >= 0 else b"x" + content[1:50] + bytes(100))
    assert scored(scorer, folder, output).scored_now == 4
    pd.testing.assert_frame_equal(pd.read_parquet(output / "predictions.parquet"), before)


def test_a_folder_without_images_is_refused(scorer: PictureScorer, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidDatasetError, match="empty contains no images"):
        scored(scorer, tmp_path / "empty", tmp_path / "out")
