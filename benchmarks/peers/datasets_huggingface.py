"""Hugging Face datasets: an image folder loaded, split into saved indices, given a transform."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path


def main() -> None:
    """Print the seconds of each step and how many images were on each side."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--fraction", type=float, required=True)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True)
    os.environ.update(HF_HOME=str(asked.folder / "home"), HF_HUB_OFFLINE="1", DO_NOT_TRACK="1")

    import datasets

    datasets.disable_progress_bars()
    marks = [time.perf_counter()]
    images = datasets.load_dataset(
        "imagefolder",
        data_dir=str(asked.images),
        split="train",
        cache_dir=str(asked.folder / "cache"),
    )
    marks.append(time.perf_counter())
    sides = images.train_test_split(
        train_size=asked.fraction,
        stratify_by_column="label",
        seed=42,
        train_indices_cache_file_name=str(asked.folder / "train.arrow"),
        test_indices_cache_file_name=str(asked.folder / "test.arrow"),
    )
    marks.append(time.perf_counter())
    transformed = images.with_transform(lambda batch: batch)
    marks.append(time.perf_counter())
    facts = {
        "convert": marks[1] - marks[0],
        "split": marks[2] - marks[1],
        "apply": marks[3] - marks[2],
        "counts": [len(sides["train"]), len(sides["test"]), len(transformed)],
        "version": version("datasets"),
    }
    sys.stdout.write("\n" + json.dumps(facts) + "\n")


if __name__ == "__main__":
    main()
