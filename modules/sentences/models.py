"""Messages about models, their weights and their recipes."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_SAMPLE_WEIGHTS = Sentence(
    "no_sample_weights",
    "Unknown sample weights {name!r}.",
    "Choose {known}, or enter the path of a file.",
)
DAMAGED_ORIGIN = Sentence(
    "damaged_origin",
    "The model description in the weights file {file} is damaged: {faults} faults.",
    "Export the model again, or use another file.",
)
NO_REGISTERED_MODEL = Sentence(
    "no_registered_model",
    "Registered Model has no model.",
    "Choose one from the Models page: NAME, NAME@VERSION or NAME@ALIAS.",
)
NO_REFERENCE = Sentence(
    "no_reference",
    "Invalid name of a registered model: {text!r}.",
    "Use NAME, NAME@VERSION or NAME@ALIAS, as on the Models page.",
)
MODEL_GONE = Sentence(
    "model_gone",
    "Registered model {model} was not found.",
    "Available models: {known}. Choose one of them, or register it again from the run that trained "
    "it.",
)
REGISTERED_FILES = Sentence(
    "registered_files",
    "{model} is a model written by a script and does not describe its outputs.",
    "Register the output of Make Trained Model instead, which can be scored.",
)
NONE_REGISTERED = Sentence(
    "none_registered",
    "Registered model {model} was not found.",
    "No models are registered. Register it from the run that trained it.",
)
TAKEN_FROM_REGISTRY = Sentence("taken_from_registry", "{model}, {classes} classes")

MALFORMED_RECIPE = Sentence(
    "malformed_recipe",
    "The model's recipe is invalid at {places}.",
    "Connect DenseNet, ResNet or Image Model and run them again.",
)
NOT_BUILT = Sentence(
    "not_built",
    "{architecture} cannot be built with these arguments: {error}.",
    "Connect DenseNet, ResNet or Image Model and run them again.",
)
UNKNOWN_ARCHITECTURE = Sentence(
    "unknown_architecture",
    "Unknown image model {name!r}.{near}",
    "Choose a Model name from the list of Image Model.",
)
UNKNOWN_MODEL_NAME = Sentence(
    "unknown_model_name",
    "Unknown image model {name!r}.{near}",
    "Choose a Model name from the list.",
)
DID_YOU_MEAN = Sentence("near_architecture", " Did you mean {name!r}?")
TOO_FEW_STAGES = Sentence(
    "too_few_stages",
    "{network} has only {stages} stages, but {frozen} should be frozen.",
    "Set Frozen stages to at most {stages}.",
)
OTHER_IMAGE_SIZE = Sentence(
    "other_image_size",
    "{architecture} requires images of exactly {size} x {size} pixels. These are {width} x "
    "{height}.",
    "Set Size and Crop size of Init Image Transformation to {size}, or choose another model.",
)
IMAGES_TOO_SMALL = Sentence(
    "images_too_small",
    "{architecture} requires images of at least {size} x {size} pixels. These are {width} x "
    "{height}.",
    "Set Size and Crop size of Init Image Transformation to {size}, or choose another model.",
)

TRAINED_MODEL_DAMAGED = Sentence(
    "trained_model_damaged",
    "The trained model is damaged: {error}.",
    "Run Train PyTorch Model again. `designer artifacts verify` finds damaged artifacts.",
)
TRAINED_WEIGHTS_DO_NOT_FIT = Sentence(
    "trained_weights_do_not_fit",
    "The trained model's weights do not match its network: {how}: {names}.",
    "Run Train PyTorch Model again. `designer artifacts verify` finds damaged artifacts.",
)
WEIGHTS_DO_NOT_FIT = Sentence(
    "weights_do_not_fit",
    "The weights do not match {architecture}: {how}: {names}. {compared}.",
    "Use weights of this architecture, or leave Weights file empty.",
)
IMPLAUSIBLE_WEIGHTS = Sentence(
    "implausible_weights",
    "Layer {layer} contains implausible weights ({tensor}: {value}).",
    "Train the model again with Ignore cache turned on, or use another weights file.",
)
MISSING = Sentence("tensors_missing", "missing")
UNKNOWN = Sentence("tensors_unknown", "unknown")
OTHER_SHAPE = Sentence("tensors_of_other_shape", "of a different shape")
SHAPES_DIFFER = Sentence("shapes_differ", "{tensor} {shape} instead of {wanted}")

WEIGHTS_NOT_DOWNLOADED = Sentence(
    "weights_not_downloaded",
    "The weights {url} could not be downloaded: {error}.",
    "Connect this machine to the network, copy the file {file} into {folder}, or turn off "
    "Pretrained.",
)
WEIGHTS_DAMAGED = Sentence(
    "weights_damaged",
    "The weights file {file} is damaged: its contents do not match the hash in its name.",
    "Delete it to download it again.",
)
OTHER_WEIGHTS = Sentence(
    "other_weights",
    "The file from {url} does not match the hash in its name.",
    "Try again, or copy the correct {file} into {folder}.",
)
UNUSABLE_WEIGHTS = Sentence(
    "unusable_weights",
    "The weights file {file} cannot be used: {why}.",
    "Use a safetensors file or a state dict saved with torch.save, or leave Weights file empty.",
)
FILE_NOT_THERE = Sentence("file_not_there", "the file was not found")
NO_TENSORS = Sentence("no_tensors", "it does not contain a mapping of names to tensors")
SEVERAL_SETS = Sentence(
    "several_sets_of_tensors",
    "it contains several sets of tensors ({names}), none of them named state_dict or model",
)
NO_SUCH_SET = Sentence(
    "no_such_set_of_tensors", "it contains no set of tensors {wanted!r}, only {names}"
)
NO_WEIGHTS = Sentence("no_weights", "it is damaged or not a weights file")
EMPTY_FILE = Sentence("weights_file_empty", "the file is empty (0 bytes)")
ONLY_ZEROS = Sentence(
    "weights_file_zeros", "it starts with zeros only, as after an incomplete copy"
)
CUT_OFF = Sentence("weights_file_cut_off", "it is truncated or damaged; download or copy it again")
GIT_LFS_POINTER = Sentence(
    "git_lfs_pointer",
    "it is a Git LFS pointer instead of the weights; run `git lfs pull` in its repository",
)
WEB_PAGE = Sentence(
    "weights_are_web_page",
    "it is a web page (HTML) instead of the weights; download the file itself",
)
JSON_FILE = Sentence("weights_are_json", "it is a JSON file, such as an index or an error message")
HDF5_FILE = Sentence("weights_are_hdf5", "it is an HDF5 file, as Keras writes")
NUMPY_FILE = Sentence("weights_are_numpy", "it is a NumPy file")
GGUF_FILE = Sentence("weights_are_gguf", "it is a GGUF file")
KERAS_FILE = Sentence("weights_are_keras", "it is a Keras model")
TORCHSCRIPT_FILE = Sentence(
    "weights_are_torchscript", "it is a TorchScript program instead of a state dict"
)
COMPRESSED_FILE = Sentence("weights_compressed", "it is a compressed file; unpack it first")
PLAIN_ARCHIVE = Sentence(
    "weights_are_archive", "it is a zip archive without tensors of torch.save; unpack it first"
)
DAMAGED_SAFETENSORS = Sentence(
    "damaged_safetensors", "it is a damaged or incomplete safetensors file: {error}"
)
ONE_OF_SEVERAL_SETS = Sentence(
    "one_of_several_sets",
    "{file} contains several sets of weights. {taken!r} was used, but not {others}.",
    "To use another one, enter its name as Set of weights, for example {other}.",
)
TENSORS_LEFT_OUT = Sentence(
    "tensors_left_out",
    "{file} contains {count} {count:tensor|tensors} that the network does not use: {names}.",
    "Nothing needs to be done if they belong to a loss or to another network.",
)
TENSOR_NAMES = Sentence("tensor_names", "Names in the file: {theirs}. Names in the network: {own}")
MORE_THAN_TENSORS = Sentence(
    "more_than_tensors", "it is damaged or contains objects other than tensors"
)
PICKLED_OBJECT = Sentence(
    "pickled_object",
    "it is damaged or contains a whole {kind}, which cannot be loaded without running code from "
    "the file",
)
WEIGHTS_NOT_THERE = Sentence(
    "weights_not_there",
    "The weights file {file} was not found.",
    "Correct Weights file, or leave it empty.",
)
WEIGHTS_ARE_DATABASE = Sentence(
    "weights_are_database",
    "The weights file {file} cannot be read: it belongs to the designer's own database.",
    "Correct Weights file, or leave it empty.",
)
THE_WEIGHTS_FILE = Sentence("the_weights_file", "The weights file {file}")
FROZEN_RANDOM_WEIGHTS = Sentence(
    "frozen_random_weights",
    "Freeze would keep random weights: without pretrained weights, the frozen layers are "
    "untrained.",
    "Turn on Pretrained or set Freeze to none.",
)
RANDOM_WEIGHTS = Sentence("random_weights", "random weights")
SAMPLE_WEIGHTS = Sentence("sample_weights", "weights of {name}")
WEIGHTS_FROM_FILE = Sentence("weights_from_file", "weights from a file")
IMAGENET_WEIGHTS = Sentence("imagenet_weights", "ImageNet weights")
FROZEN = Sentence("frozen", "frozen: {what}")
