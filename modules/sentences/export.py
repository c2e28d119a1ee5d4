"""Messages about exported models."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

OPERATION = Sentence(
    "The operation {operation} of this model cannot be exported.",
    "Train with Resize, Center crop, Pad or Grayscale only.",
)
INPUT_SIZE_UNKNOWN = Sentence(
    "The model does not record the size of its images.", "Run Train PyTorch Model again."
)
PACKAGES_MISSING = Sentence(
    "The format {format} needs packages that are not installed: {packages}.",
    'Install them: `pip install "pipeline-designer[onnx]"`.',
)
NETWORK_NOT_TRACED = Sentence(
    "The network {architecture} cannot be exported: {error}.",
    "Export as safetensors, or train an architecture without control flow that depends on pixels.",
)
TOO_LARGE = Sentence(
    "The weights of {gigabytes:.1f} GB exceed the 2 GB that fit into one ONNX file.",
    "Export as torch-export or safetensors.",
)
DISAGREES = Sentence(
    "The exported file differs from Score Image Model: {agreed} of {images} labels agree, "
    "probabilities differ by up to {difference:.4f}.",
    "Export in another format, or choose another architecture.",
)
NO_CALIBRATION_IMAGES = Sentence(
    "The format onnx-int8 needs images to measure the range of values.",
    "Use images of the training, which were deleted. Or export as onnx.",
)
EXPORTED = Sentence("{format}, {size}, {agreed} of {images} labels agree")
EXPORTED_UNCHECKED = Sentence("{format}, {size}")
CARD_WITHOUT_IMAGES = Sentence(
    "The export was checked with generated images, as no images of the training exist.",
    "Connect the validation images, or run the pipeline again.",
)

name_sentences(globals())
