"""Augmented images: images of a directory as a training sees them."""

from __future__ import annotations

from base64 import b64decode

from pipelines.inspection.client import Inspector
from pipelines.inspection.images import opened
from pipelines.inspection.node_previews import NodePreviews, node_previews
from pipelines.inspection.preview_models import ImagesPreview, Sample
from pipelines.inspection.previews import EDGE, sampled
from pipelines.inspection.questions import AUGMENTED
from pipelines.inspection.run_outputs import RunOutput, RunOutputs


def augmented_previews(outputs: RunOutputs, inspector: Inspector, node: str) -> NodePreviews:
    """Return the previews of a node's image directories with an attached transformation.

    The first call waits for a process with torch. Raises ``InspectionError``.
    """
    whole = {preview.port: preview for preview in node_previews(outputs, node).previews}
    previews, pictures = [], dict[str, bytes]()
    for index, output in enumerate(outputs.of(node)):
        preview = whole.get(output.port)
        if isinstance(preview, ImagesPreview) and opened(output.folder).transformation:
            drawn = _drawn(inspector, output, f"augmented-{index}")
            pictures |= {sample.picture: content for sample, content in drawn}
            samples = [sample for sample, _ in drawn]
            previews.append(preview.model_copy(update={"samples": samples}))
    return NodePreviews(previews, pictures)


def _drawn(inspector: Inspector, output: RunOutput, name: str) -> list[tuple[Sample, bytes]]:
    """Return each displayed image of a directory with its JPEG file."""
    rows, labels = sampled(output.folder), opened(output.folder).labels
    dataset = str(output.folder)
    answer = inspector.ask(AUGMENTED, dataset=dataset, indices=rows, edge=EDGE, seed=0)
    samples = [Sample(picture=f"{name}-{row}.jpg", label=labels[row]) for row in rows]
    return [*zip(samples, map(b64decode, answer["pictures"]), strict=True)]
