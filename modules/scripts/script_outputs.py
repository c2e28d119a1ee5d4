"""Results of a script as artifacts: one of each kind, empty if it returned none."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modules.artifacts import ImageDirectory, Model, Table, TrainedModel
from modules.context import Context
from modules.errors import FailedToEvaluateScriptError
from modules.foreign_model import ForeignModel
from modules.image_directories.class_names import label_text, warn_of_near_names
from modules.scripts.script_classes import classes_of, warn_of_missing_names
from modules.sentences import all_families
from modules.sentences import own_python as say
from modules.sentences.sentence import Sentence, Statement

OUTPUTS = ("images", "table", "model")
FRAMEWORKS = {".onnx": "onnx", ".keras": "tensorflow", ".h5": "tensorflow"}


@dataclass(frozen=True)
class ReturnedOutputs:
    """Results of a script for each output; None for nothing."""

    images: Any = None
    table: Any = None
    model: Any = None

    @classmethod
    def of(cls, value: Any) -> ReturnedOutputs:
        """Convert a mapping by output, one value, or several; raise 0085 for anything else."""
        if isinstance(value, Mapping):
            unknown = [str(name)[:80] for name in value if name not in OUTPUTS]
            if unknown:
                raise _wrong(say.UNKNOWN_OUTPUTS, names=unknown, known=list(OUTPUTS))
            return cls(**value)
        values = value if isinstance(value, tuple | list) else (value,)
        by_output: dict[str, Any] = {}
        for result in (item for item in values if item is not None):
            output = _output_for(result)
            if output in by_output:
                raise _wrong(say.TWO_OF_A_KIND, output=output)
            by_output[output] = result
        return cls(**by_output)

    @classmethod
    def of_azureml(cls, value: Any, context: Context) -> ReturnedOutputs:
        """Convert the result of ``azureml_main``: a table, or a sequence of two."""
        tables = value if isinstance(value, tuple | list) else (value,)
        if len(tables) > 1 and tables[1] is not None:
            context.warn(say.SECOND_TABLE_LEFT_OUT)
        return cls(table=tables[0] if tables else None)


def written(
    result: ReturnedOutputs, inputs: Mapping[str, Any], context: Context
) -> tuple[tuple[ImageDirectory, Table, ForeignModel], Statement]:
    """Write the artifacts in the order of ``OUTPUTS``, and the node's summary of them."""
    images = _images(result.images, inputs, context.new_folder())
    warn_of_near_names(images.classes, context)
    warn_of_missing_names(images, inputs, context)
    table = _table(result.table, context.new_folder())
    model = _model(result.model, context.new_folder())
    parts = [
        *([say.GAVE_IMAGES.about({"images": len(images.images)})] if len(images.images) else []),
        *([_table_said(table)] if len(table.rows.columns) else []),
        *([say.GAVE_MODEL.about({})] if model.description["files"] else []),
    ]
    said = all_families.SUMMARY.about({"parts": parts or [say.GAVE_NOTHING.about({})]})
    return (images, table, model), said


def _table_said(table: Table) -> Statement:
    rows, columns = table.rows.shape
    return say.GAVE_TABLE.about({"rows": rows, "columns": columns})


def _output_for(value: Any) -> str:
    import pandas as pd

    if isinstance(value, pd.DataFrame | Table):
        return "table"
    if isinstance(value, ImageDirectory):
        return "images"
    if isinstance(value, Model | Path) or hasattr(value, "state_dict"):
        return "model"
    raise _wrong(say.NO_RESULT_TYPE, type=type(value).__name__)


def _images(value: Any, inputs: Mapping[str, Any], folder: Path) -> ImageDirectory:
    import pandas as pd

    known = _image_inputs(inputs)
    if isinstance(value, ImageDirectory):
        if value.path.parent == folder.parent:
            return value  # written by the script itself
        known, attached, value = [value], value.transformation, value.derived_rows()
    else:
        attached = known[0].transformation if known else None
    if value is None:
        empty = pd.DataFrame({name: [] for name in ImageDirectory.COLUMNS})
        return ImageDirectory.write(folder, empty, [])
    if not isinstance(value, pd.DataFrame):
        raise _wrong(say.NO_OUTPUT_TYPE, output="images", type=type(value).__name__)
    lacking = [name for name in ImageDirectory.COLUMNS if name not in value.columns]
    if lacking:
        raise _wrong(say.NO_IMAGE_ROWS, columns=lacking)
    rows = value.assign(label=pd.Series(_texts(value["label"]), value.index, dtype=object))
    return ImageDirectory.write(folder, rows, classes_of(rows, known), attached)


def _image_inputs(inputs: Mapping[str, Any]) -> list[ImageDirectory]:
    return [images for images in (inputs["images1"], inputs["images2"]) if images is not None]


def _texts(labels: Iterable[Any]) -> list[str | None]:
    try:
        return [label_text(label) for label in labels]
    except TypeError as error:
        raise _wrong(say.NO_LABEL, label=str(error)) from None


def _table(value: Any, folder: Path) -> Table:
    import pandas as pd

    rows = pd.DataFrame() if value is None else value.rows if isinstance(value, Table) else value
    if not isinstance(rows, pd.DataFrame):
        raise _wrong(say.NO_OUTPUT_TYPE, output="table", type=type(value).__name__)
    try:
        return Table.write(folder, rows)
    except (ValueError, TypeError, NotImplementedError) as error:
        said = " ".join(str(error).split())[:300]
        raise _wrong(say.NO_COLUMN_TYPE, error=said) from error


def _model(value: Any, folder: Path) -> ForeignModel:
    files = folder / "files"
    files.mkdir()
    if value is None:
        return ForeignModel.write(folder, main="", framework="")
    if isinstance(value, str | Path) and Path(value).is_file():
        path = Path(value)
        if not path.stat().st_size:
            raise _wrong(say.EMPTY_MODEL_FILE, file=path.name)
        shutil.copyfile(path, files / path.name)
        framework = FRAMEWORKS.get(path.suffix, "pytorch")
        return _named(folder, path.name, framework)
    if isinstance(value, ForeignModel):
        shutil.copytree(value.path / "files", files, dirs_exist_ok=True)
        main = str(value.description["main"])
        return ForeignModel.write(
            folder, main=main, framework=value.framework, class_order=value.class_order
        )
    if isinstance(value, TrainedModel):
        shutil.copyfile(value.weights_path, files / value.weights_path.name)
    else:
        _save_tensors(value, files / "model.safetensors")
    return _named(folder, "model.safetensors", "pytorch")


def _named(folder: Path, main: str, framework: str) -> ForeignModel:
    """Write a model of the script: it received the classes of images by name."""
    return ForeignModel.write(folder, main=main, framework=framework, class_order="images")


def _save_tensors(value: Any, path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    tensors = value.state_dict() if isinstance(value, torch.nn.Module) else value
    is_state_dict = isinstance(tensors, Mapping) and all(
        isinstance(tensor, torch.Tensor) for tensor in tensors.values()
    )
    if not is_state_dict or not tensors:
        raise _wrong(say.NO_OUTPUT_TYPE, output="model", type=type(value).__name__)
    # Clones, because safetensors rejects tensors that share memory.
    save_file(
        {str(name): tensor.detach().cpu().clone().contiguous() for name, tensor in tensors.items()},
        path,
    )


def _wrong(sentence: Sentence, **facts: Any) -> FailedToEvaluateScriptError:
    return FailedToEvaluateScriptError(sentence, parameter="code", **facts)
