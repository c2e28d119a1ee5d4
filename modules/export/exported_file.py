"""Export of a trained model to one file, checked before it is complete.

Shape letters: N images, K classes, H height, W width, C channels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory, TrainedModel
from modules.errors import ModelNotExportedError
from modules.export.agreement import EXACT, ROUNDED, ROUNDING_FORMATS, Agreement, compare
from modules.export.architectures import check_architecture
from modules.export.card import Card, card_of
from modules.export.check_images import CheckImage, check_images, generated_images
from modules.export.formats import Format, check_packages
from modules.export.local_paths import without_local_paths
from modules.export.network import load_network, onnx_network, torch_program
from modules.export.onnx_file import PIXELS, PROBABILITIES, assembled, set_metadata
from modules.export.preparation import Preparation
from modules.export.quantisation import MAX_CALIBRATION_IMAGES, quantised
from modules.files.disk import scratch_folder
from modules.models.abstention import threshold_of
from modules.models.origin import missing_texts
from modules.models.serialization import require_plausible_weights
from modules.models.weights_header import copy_with_texts
from modules.schema_reference import DocumentData
from modules.sentences import export as say

if TYPE_CHECKING:
    from torch import nn

VALIDATION, GENERATED = "validation images", "generated images"
CARD_FILE = "card.json"
"""File inside a ``torch.export`` program."""
SCRATCH = ".designer-export-"


@dataclass(frozen=True)
class Export:
    """A model to export, and images of its run as far as they exist."""

    model: TrainedModel
    name: str
    """Its name on the card."""
    format: Format
    batch: bool = False
    """True for a file that accepts batches of images in the size of the input."""
    training: ImageDirectory | None = None
    validation: ImageDirectory | None = None
    progress: Callable[[str], None] = field(default=lambda _phase: None)

    def write(self, target: Path) -> Card:
        """Write the file and return its card.

        Raises ``ModelNotExportedError`` (3105) if the format cannot contain the model, packages are
        missing, or the file would predict differently. Nothing is written then.
        """
        check_packages(self.format)
        self.model.check()
        check_architecture(str(self.model.recipe.get("architecture", "")), self.format)
        if self.format == "safetensors":
            require_plausible_weights(self.model)
            preparation = Preparation.of(self.model)
            with target.open("wb") as file:
                copy_with_texts(self.model.weights_path, file, missing_texts(self.model))
            return self._card(preparation, None)
        preparation = Preparation.of(self.model)
        network = load_network(self.model)
        if self.format == "torch-export":
            return self._write_torch(target, preparation, network)
        return self._write_onnx(target, preparation, network)

    def _write_onnx(self, target: Path, preparation: Preparation, network: nn.Module) -> Card:
        import onnx

        calibration = self._calibration(preparation) if self.format == "onnx-int8" else None
        self.progress("tracing")
        traced = onnx_network(self.model, network, preparation.size, batch=self.batch)
        if calibration is not None:
            self.progress("calibrating")
            with scratch_folder(target.parent, SCRATCH) as folder:
                traced = quantised(traced, calibration, folder)
        classes = self.model.classes
        whole = assembled(
            traced,
            preparation,
            len(classes),
            batch=self.batch,
            threshold=threshold_of(self.model),
        )
        self.progress("checking")
        content = whole.SerializeToString()
        agreement = self._agreement(preparation, network, onnx_predictor(content, self.batch))
        agreement.check(EXACT if self.format == "onnx" else ROUNDED)
        card = self._card(preparation, agreement)
        set_metadata(whole, classes, card, published_document(self.model))
        onnx.save(whole, str(target))
        return card

    def _write_torch(self, target: Path, preparation: Preparation, network: nn.Module) -> Card:
        import json

        import torch

        self.progress("tracing")
        program = torch_program(self.model, network, preparation)
        module = program.module()

        def predict(image: CheckImage) -> Any:
            with torch.inference_mode():
                return module(torch.from_numpy(image.seen.copy())[None])[0][0].numpy()

        self.progress("checking")
        agreement = self._agreement(preparation, network, predict)
        agreement.check(EXACT)
        card = self._card(preparation, agreement)
        files = {CARD_FILE: json.dumps(card), "labels.json": json.dumps(self.model.classes)}
        content = BytesIO()  # torch itself would print a C++ traceback for a full disk
        torch.export.save(program, content, extra_files=files)
        target.write_bytes(content.getbuffer())
        return card

    def _agreement(
        self, preparation: Preparation, network: nn.Module, predict: Callable[[CheckImage], Any]
    ) -> Agreement:
        images, source = self._images(preparation)
        is_rounded = self.model.description.get("precision") in ROUNDING_FORMATS
        normalisation = preparation.normalisation
        return compare(images, source, predict, network, normalisation, is_rounded=is_rounded)

    def _images(self, preparation: Preparation) -> tuple[Iterable[CheckImage], str]:
        """Return the images of the comparison and their origin."""
        for images, source in ((self.validation, VALIDATION), (self.training, "training images")):
            if any(True for _ in islice(_of(images, preparation), 1)):
                return _of(images, preparation), source
        return generated_images(preparation), GENERATED

    def _calibration(self, preparation: Preparation) -> Iterator[Any]:
        """Yield prepared images (1, C, H, W) of the training, else of the validation."""
        import torch

        for dataset in (self.training, self.validation):
            images = islice(_of(dataset, preparation), MAX_CALIBRATION_IMAGES)
            seen = [image.seen.copy() for image in images]  # the whole images could be large
            if seen:
                break
        else:
            raise ModelNotExportedError(say.NO_CALIBRATION_IMAGES)
        return (
            preparation.normalisation(torch.from_numpy(pixels)[None], channels_last=False).numpy()
            for pixels in seen
        )

    def _card(self, preparation: Preparation, agreement: Agreement | None) -> Card:
        return card_of(
            self.model,
            self.name,
            self.format,
            preparation,
            agreement,
            batch=self.batch,
            training=self.training,
            validation=self.validation,
        )


def published_document(model: TrainedModel) -> DocumentData | None:
    """Return the pipeline of a model without local paths; None if it has none."""
    document = model.description.get("pipeline")
    if not isinstance(document, dict):
        return None
    reduced: DocumentData = without_local_paths(document)
    return reduced


def onnx_predictor(content: bytes, batch: bool) -> Callable[[CheckImage], Any]:
    """Return the predictions of an ONNX file with our inputs and outputs."""
    import onnxruntime
    import torch

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = torch.get_num_threads()  # the share of this process
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    def predict(image: CheckImage) -> Any:
        pixels = image.seen[None] if batch else image.pixels
        [probabilities] = session.run([PROBABILITIES], {PIXELS: pixels})
        return probabilities[0] if batch else probabilities

    return predict


def _of(images: ImageDirectory | None, preparation: Preparation) -> Iterator[CheckImage]:
    return iter(()) if images is None else check_images(images, preparation)
