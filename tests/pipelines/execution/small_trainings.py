"""Trainings on folders of a few small images."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from pipelines.document.document import PipelineDocument
from tests.modules.image_directories.pictures import png_bytes
from tests.pipelines.execution.refusals import node, wired

SIZE = (32, 32)


def trained(
    training: str,
    validation: str | None = None,
    *,
    model: dict[str, Any] | None = None,
    **settings: Any,
) -> PipelineDocument:
    """Return a pipeline that trains a ResNet-18 on one source and validates it on another."""
    nodes = [
        node("resnet", "resnet", **{"model_name": "resnet18", "pretrained": False, **(model or {})})
    ]
    links = ["resnet.untrained_model -> train.untrained_model"]
    for name, source in (("training", training), ("validation", validation or training)):
        nodes.append(node(f"import-{name}", "import_images", source=source))
        nodes.append(node(f"convert-{name}", "convert_to_image_directory"))
        links.append(f"import-{name}.dataset -> convert-{name}.input_dataset")
        links.append(f"convert-{name}.output_image_directory -> train.{name}_dataset")
    nodes.append(node("train", "train_pytorch_model", **{"epochs": 1, "batch_size": 4, **settings}))
    nodes.append(node("score", "score_image_model"))
    links += ["train.trained_model -> score.trained_model"]
    links += ["convert-validation.output_image_directory -> score.dataset"]
    return wired(nodes, *links)


def pictures(root: Path, classes: str, count: int, size: tuple[int, int] = SIZE) -> str:
    """Write ``count`` images of each class, a letter each, and return their source.

    ``-`` stands for images without a class.
    """
    rng = random.Random(root.name)
    for letter in classes:
        folder = root if letter == "-" else root / letter
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(count):
            (folder / f"{number}.png").write_bytes(png_bytes(rng.randrange(2**32), size))
    return f"file:{root}"
