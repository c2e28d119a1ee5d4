"""Running the conversion and reading its output."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from modules.artifacts import AnyDirectory, ImageDirectory
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from tests.modules.conftest import Workplace

DEFAULTS = ConvertParameters()
FROM_TABLE = ConvertParameters(class_from="CSV column")


def convert(
    location: Path,
    workplace: Workplace,
    parameters: ConvertParameters = DEFAULTS,
    allowed_roots: tuple[Path, ...] | None = None,
) -> ImageDirectory:
    context = workplace.context(allowed_roots)
    dataset = AnyDirectory.write(context.new_folder(), location)
    output = convert_to_image_directory(dataset, parameters, context).output_image_directory
    assert isinstance(output, ImageDirectory)
    assert all(path.is_file() for path in output.file_paths())
    assert sorted(path.name for path in context.staging_dir.iterdir()) == ["0", "1"]
    return output


def labels(output: ImageDirectory) -> dict[str, str | None]:
    rows = output.images
    return {
        path: None if pd.isna(label) else label
        for path, label in zip(rows["path"], rows["label"], strict=True)
    }


def skipped(output: ImageDirectory) -> dict[str, str]:
    return dict(zip(output.skipped["path"], output.skipped["reason"], strict=True))
