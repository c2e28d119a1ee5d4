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
DISAGREES_IN_BF16 = Sentence(
    "The exported file differs from Score Image Model, which scores this model in bf16: {agreed} "
    "of {images} labels agree, probabilities differ by up to {difference:.4f}.",
    "Set the precision of Train PyTorch Model to fp32 and train again.",
)
NO_CALIBRATION_IMAGES = Sentence(
    "The format onnx-int8 needs images to measure the range of values.",
    "Use images of the training, which were deleted. Or export as onnx.",
)
EXPORTED = Sentence("{format}, {size}, {agreed} of {images} labels agree")
EXPORTED_BF16 = Sentence(
    "{format}, {size}, {agreed} of {images} labels agree ({agreed_in_bf16} in bf16)"
)
EXPORTED_UNCHECKED = Sentence("{format}, {size}")
CARD_WITHOUT_IMAGES = Sentence(
    "The export was checked with generated images, as no images of the training exist.",
    "Connect the validation images, or run the pipeline again.",
)

FOREIGN_ONNX = Sentence(
    'The file "{file}" was not written by Export Model: {why}.',
    "Export the model with Export Model or `designer models export --format onnx`.",
)
OTHER_PRODUCER = Sentence("its producer is {producer}")
EXTERNAL_WEIGHTS = Sentence("its weights are in another file")
OVER_TWO_GIGABYTES = Sentence("it has {gigabytes:.1f} GB")
NO_LABELS_INSIDE = Sentence("its metadata contain no list of labels")
EQUAL_LABELS = Sentence("two of its labels are equal")
NO_CARD_INSIDE = Sentence("its metadata contain no model card")
OTHER_INPUT = Sentence("its input is not `pixels`, bytes of RGB images")
OTHER_OUTPUTS = Sentence("its outputs are not `probabilities` and `label`")
OTHER_NUMBER_OF_LABELS = Sentence("it has {labels} labels but {outputs} probabilities")
DAMAGED_ONNX = Sentence(
    'The ONNX file "{file}" cannot be opened: {error}.', "Export the model again."
)
EMPTY_ONNX = Sentence("it is empty")
NO_GRAPH = Sentence("it contains no operators")
ONNX_FAILED = Sentence(
    'The ONNX file "{file}" failed on an image: {error}.',
    "Export the model again, or score with the trained model.",
)
NOT_PROBABILITIES = Sentence(
    'The ONNX file "{file}" returned values that are not probabilities.', "Export the model again."
)
NO_ONNX_FILE = Sentence("ONNX Model has no file.", "Enter the path of an ONNX file on this server.")
NO_ONNX_REFERENCE = Sentence(
    "ONNX Model has no registered model.",
    "Choose one from the Models page: NAME, NAME@VERSION or NAME@ALIAS.",
)
ONNX_FILE_MISSING = Sentence(
    'The file "{file}" was not found.', "Enter the path of an ONNX file on this server."
)
REGISTERED_IS_TRAINED = Sentence(
    "{model} is a trained model, not an ONNX file.", "Use the node Registered Model for it."
)
ONNX_OPENED = Sentence("{file}, {architecture}, {classes} classes")
NOT_SCORED_FORMAT = Sentence(
    "Score Image Model cannot score the format {format}.",
    "Set the format of Export Model to onnx, or connect the trained model.",
)

name_sentences(globals())
