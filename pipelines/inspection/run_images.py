"""Images of the run that trained a model."""

from __future__ import annotations

from modules.artifacts import ImageDirectory
from pipelines.inspection.run_outputs import RunOutput, RunOutputs
from pipelines.registry.format_export import RunImages
from pipelines.runs.run_service import RunService


def run_images(runs: RunService, run_id: str | None, node: str | None) -> RunImages:
    """Return training and validation images of a model, as far as the run and its files exist.

    Nodes that pass a model on, such as Confidence Threshold, are followed to its training.
    """
    outputs = RunOutputs(runs, run_id or "")
    inputs: dict[str, RunOutput] = {}
    while run_id is not None and node is not None:
        inputs = outputs.inputs(node)
        passed_on = inputs.get("trained_model")
        node = passed_on.node if passed_on else None
    return RunImages(
        _images(inputs.get("training_dataset")), _images(inputs.get("validation_dataset"))
    )


def _images(output: RunOutput | None) -> ImageDirectory | None:
    """Return the images if their files exist."""
    if output is None or output.type != ImageDirectory.__name__:
        return None
    directory = ImageDirectory(output.folder)
    try:
        sources = [directory.store_dir / source for source in directory.references]
    except (OSError, ValueError):
        return None
    return directory if all(source.is_dir() for source in sources) else None
