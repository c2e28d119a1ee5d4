"""Previews of one node of a run: its outputs, a cell of its matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelines.inspection.evaluation import scored_input
from pipelines.inspection.preview_models import Preview
from pipelines.inspection.previews import PictureBox, Previewer
from pipelines.inspection.run_outputs import RunOutput, RunOutputs


@dataclass(frozen=True)
class NodePreviews:
    """Summaries of a node's outputs, with their images as JPEG files."""

    previews: Sequence[Preview]
    pictures: dict[str, bytes]
    is_transformed: bool = False
    """True if a transformation is attached: a training sees other images."""


def node_previews(outputs: RunOutputs, node: str) -> NodePreviews:
    """Return the previews of a node's outputs; none before it has ended."""
    box, previewer = _previewer(outputs)
    of_node = outputs.of(node)
    previews = (
        previewer.preview(output.type, node, output.port, output.folder) for output in of_node
    )
    return NodePreviews(
        [preview for preview in previews if preview is not None],
        box.pictures,
        any(_is_transformed(output) for output in of_node),
    )


def cell_preview(outputs: RunOutputs, node: str, actual: str, predicted: str) -> NodePreviews:
    """Return the images of a cell of the confusion matrix; none if the scored dataset is gone."""
    box, previewer = _previewer(outputs)
    scored = scored_input(outputs, node)
    if scored is None:
        return NodePreviews([], {})
    return NodePreviews([previewer.cell(scored, actual, predicted)], box.pictures)


def _is_transformed(output: RunOutput) -> bool:
    """Return whether a transformation is attached, from the files alone, damaged or not."""
    return output.type == "ImageDirectory" and (output.folder / "transformation.json").is_file()


def _previewer(outputs: RunOutputs) -> tuple[PictureBox, Previewer]:
    def source_of(node: str, port: str) -> Path | None:
        source = outputs.input(node, port)
        return None if source is None else source.folder

    box = PictureBox()
    return box, Previewer(box, source_of)
