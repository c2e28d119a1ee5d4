"""Module Export Model: write a trained model as a file for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from modules.artifacts import ExportedModel, ImageDirectory, OnnxModel, TrainedModel, write_json
from modules.compute.distributed import process_group
from modules.compute.failures import exhaustion_explained
from modules.context import Context
from modules.declare import module
from modules.errors import ModuleError
from modules.export.architectures import check_architecture
from modules.export.exported_file import Export
from modules.export.formats import SUFFIXES, Format, is_onnx, missing_packages
from modules.export.readme import labels_text, readme
from modules.forecast import ArtifactForecast, StepForecast
from modules.formatting import format_bytes
from modules.models.registered_model import OPTIONAL_FILES, link_or_copy
from modules.parameters import Parameters, ShownWhen
from modules.sentences import export as say
from modules.sentences.sentence import Facts
from modules.spec import ParameterFinding, PortDoc


class ExportParameters(Parameters):
    format: Format = Field(
        "onnx",
        description="onnx: one file from pixels to probabilities, for ONNX Runtime, OpenVINO and "
        "browsers. onnx-int8: the same with 8-bit integers, a quarter of the size. torch-export: "
        "for torch.export.load. safetensors: the weights only.",
    )
    batch: Annotated[bool, ShownWhen("format", ("onnx", "onnx-int8"))] = Field(
        False,
        description="Accept batches of images that already have the size of the model's input, "
        "for servers. Off: one image of any size, which the file resizes and crops itself.",
    )


class ExportOutputs(NamedTuple):
    exported_model: Annotated[
        ExportedModel,
        PortDoc("The model's file, its labels and its README. Score Image Model scores ONNX."),
    ]


def _check(parameters: ExportParameters) -> Iterable[ParameterFinding]:
    """Report missing packages before the run, unless another machine may have them."""
    missing = missing_packages(parameters.format)
    if missing:
        facts = {"format": parameters.format, "packages": missing}
        yield ParameterFinding.of("format", say.PACKAGES_MISSING, "warning", **facts)


def _forecast(
    inputs: Mapping[str, ArtifactForecast],
    parameters: ExportParameters,
    context: Context,  # noqa: ARG001 - every forecast is given the same three
) -> StepForecast:
    """Report architectures that cannot be exported."""
    model = inputs.get("trained_model", ArtifactForecast())
    recipe = model.recipe
    findings: tuple[ParameterFinding, ...] = ()
    try:
        check_architecture(str((recipe or {}).get("architecture", "")), parameters.format)
    except ModuleError as error:
        findings = (ParameterFinding.from_error(error, "format"),)
    seen = replace(model, model_format=parameters.format, notice=None)
    return StepForecast({"exported_model": seen}, findings=findings)


@module(
    title="Export Model",
    category="Model Scoring & Evaluation",
    summary="Write a trained model as a file for other programs, checked against scoring.",
    icon="file-output",
    keywords=("onnx", "deploy", "save", "int8", "quantize", "torchscript", "openvino"),
    libraries=("torch", "torchvision"),
    check=_check,
    forecast=_forecast,
)
def export_model(
    trained_model: Annotated[TrainedModel, PortDoc("From Train PyTorch Model.")],
    parameters: ExportParameters,
    context: Context,
    images: Annotated[
        ImageDirectory | None,
        PortDoc("Images to check the file with, and to calibrate onnx-int8: validation images."),
    ] = None,
) -> ExportOutputs:
    """Export a model with the preparation of its images, and check the file.

    An ONNX file contains everything from pixels to probabilities: resizing, cropping, normalisation
    and the network. Its input is `pixels`, bytes of shape (height, width, 3); its outputs are
    `probabilities` and `label`, the index of the most probable class. Its metadata contain
    `labels`, a model card and the pipeline, without local paths. Drop the file on the canvas to
    open the pipeline.

    The file predicts the input images, else generated ones, and must agree with Score Image Model
    in fp32: in 99 % of labels (onnx-int8: 95 %), and in probabilities within 0.02. A model that was
    trained in bf16 or fp16 is also compared with scores in bf16, which differ more: 95 % of the
    labels must agree. The result is stored in the file and in README.md, with the classes and code
    examples.
    """
    folder = context.new_folder()
    with exhaustion_explained(None), process_group(context):
        file = folder / f"model{SUFFIXES[parameters.format]}"
        name = _name(trained_model)
        export = Export(trained_model, name, parameters.format, parameters.batch, validation=images)
        card = export.write(file)
    labels = trained_model.classes
    (folder / "labels.txt").write_text(labels_text(labels), encoding="utf-8")
    (folder / "README.md").write_text(readme(card, labels, file.name), encoding="utf-8")
    write_json(folder / "card.json", card)
    _tell(card, file.stat().st_size, context, has_images=images is not None)
    for name in OPTIONAL_FILES:  # Score Image Model recognises copies of training images by them
        if (trained_model.path / name).is_file():
            link_or_copy(trained_model.path / name, folder / name)
    exported = OnnxModel(folder) if is_onnx(parameters.format) else ExportedModel(folder)
    return ExportOutputs(exported)


def _name(model: TrainedModel) -> str:
    """Return the name of the pipeline that trained the model, else its architecture."""
    document = model.description.get("pipeline")
    named = document.get("name") if isinstance(document, dict) else None
    return str(named or model.recipe.get("architecture", "model"))


def _tell(card: Mapping[str, Any], num_bytes: int, context: Context, *, has_images: bool) -> None:
    facts: Facts = {"format": card["format"], "size": format_bytes(num_bytes)}
    agreement = card.get("agreement")
    if agreement is None:
        context.summary(say.EXPORTED_UNCHECKED, **facts)
        return
    facts |= {"agreed": agreement["equal_labels"], "images": agreement["images"]}
    if "in_bf16" in agreement:
        facts |= {"agreed_in_bf16": agreement["in_bf16"]["equal_labels"]}
        context.summary(say.EXPORTED_BF16, **facts)
    else:
        context.summary(say.EXPORTED, **facts)
    if not has_images:
        context.warn(say.CARD_WITHOUT_IMAGES)
