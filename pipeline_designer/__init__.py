"""Pipelines in Python: build them, check and run them, and use their results.

    from pipeline_designer import Pipeline
    from pipeline_designer import modules as m

    with Pipeline("digits") as p:
        images = m.import_images(source="sample:digits")
        convert = m.convert_to_image_directory(input_dataset=images)

    run = p.run(wait=True)
    print(run.metrics)

The block is the code that ``designer code show`` writes and that the editor opens.
"""

from __future__ import annotations

from pipeline_designer.pipeline import Pipeline, Problems
from pipeline_designer.results import RunModel, RunOutput
from pipeline_designer.runs import Run, RunFailedError
from pipeline_designer.workspaces import Workspace
from pipelines.document.code.build import CodeError, Node, Output, SubPipeline
from pipelines.problems import PipelineError

__all__ = [
    "CodeError",
    "Node",
    "Output",
    "Pipeline",
    "PipelineError",
    "Problems",
    "Run",
    "RunFailedError",
    "RunModel",
    "RunOutput",
    "SubPipeline",
    "Workspace",
]
