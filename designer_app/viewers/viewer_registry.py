"""Viewers by type of artifact; types without a viewer show their files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from designer_app.viewers.evaluation import show_evaluation
from designer_app.viewers.files import show_files
from designer_app.viewers.foreign_model import show_foreign_model
from designer_app.viewers.image_directory import show_image_directory
from designer_app.viewers.onnx_model import show_onnx_model
from designer_app.viewers.table import show_table
from designer_app.viewers.trained_model import show_trained_model
from designer_app.viewers.transformation import show_transformation
from designer_app.viewers.untrained_model import show_untrained_model
from designer_app.viewers.viewed_output import ViewedOutput

Viewer = Callable[[ViewedOutput], None]

VIEWERS: Mapping[str, Viewer] = {
    "EvaluationResults": show_evaluation,
    "ForeignModel": show_foreign_model,
    "ImageDirectory": show_image_directory,
    "ImageTransformation": show_transformation,
    "OnnxModel": show_onnx_model,
    "ScoredImages": show_table,
    "Table": show_table,
    "TrainedModel": show_trained_model,
    "UntrainedModel": show_untrained_model,
}


def viewer_of(type_name: str) -> Viewer:
    """Return the viewer of a type."""
    return VIEWERS.get(type_name, show_files)
