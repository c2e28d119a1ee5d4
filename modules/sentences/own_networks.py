"""Messages about networks that users write."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_CLASS = Sentence(
    "no_network_class",
    "The code defines no network.",
    "Define a class that inherits from torch.nn.Module.",
)
WHICH_NETWORK = Sentence(
    "which_network",
    "The code defines several networks: {there}.",
    "Enter the name of the network to train as Network.",
)
NO_SUCH_NETWORK = Sentence(
    "no_such_network",
    "The code does not define {network!r}. It defines: {there}.",
    "Correct Network, or leave it empty if there is only one.",
)
NO_NETWORK = Sentence(
    "no_network_made",
    "{network} returns an object of type {type}, which is not a network.",
    "Use a class that inherits from torch.nn.Module, or a function that returns one.",
)
LAZY_LAYERS = Sentence(
    "lazy_layers",
    "{network} has lazy layers, whose sizes are unknown before the first batch.",
    "Specify the number of inputs: nn.Linear(512, num_classes) instead of "
    "nn.LazyLinear(num_classes).",
)
NOTHING_TO_TRAIN = Sentence(
    "nothing_to_train",
    "{network} has no trainable weights.",
    "Create its layers in __init__ and assign them: self.head = nn.Linear(512, num_classes).",
)
MORE_THAN_TENSORS = Sentence(
    "own_network_more_than_tensors",
    "The state dict of {network} contains more than tensors: {names}.",
    "Remove get_extra_state. Weights must be saved and loaded without running code.",
)
NOT_ALL_KEPT = Sentence(
    "own_network_not_all_kept",
    "{network} draws random numbers in __init__ that are not in its state dict. Rebuilt with the "
    "same weights, it returns different scores.",
    "Use self.register_buffer('name', tensor), or nn.ModuleList(list) for a list of layers. Or use "
    "a fixed seed: torch.Generator().manual_seed(1).",
)
NO_SCORES = Sentence(
    "no_scores",
    "{network} returns {shape} for {images} images of {width} x {height} pixels. Expected one "
    "score for each of {classes} classes: ({images}, {classes}).",
    "Let __init__ accept num_classes and use it in the last layer: nn.Linear(512, num_classes).",
)
FAILS_AT_IMAGES = Sentence(
    "own_network_fails",
    "{network} fails on images of {width} x {height} pixels: {error}.",
    "Correct the code, or use images of another size.",
)
NO_FILE = Sentence(
    "no_network_file",
    "File {file} was not found.",
    "Enter the path of a Python file on this server.",
)
FILE_TOO_LARGE = Sentence(
    "network_file_too_large",
    "The file {file} is longer than {most:,} characters.",
    "Use a file that contains only the network.",
)
FILE_NO_TEXT = Sentence(
    "network_file_no_text",
    "The file {file} cannot be read as text: {error}.",
    "Use a Python file in UTF-8.",
)
FILE_MISSING = Sentence(
    "network_file_missing",
    "Create Python Model has no file.",
    "Enter the path of a Python file on this server, or type the code of the network.",
)
FILE_CHANGED = Sentence(
    "network_file_changed",
    "The file of the network changed after the run was planned. This run uses the current file, "
    "and its outputs are not cached.",
    "Run again so that the outputs can be reused.",
)
COST_UNKNOWN = Sentence(
    "cost_of_own_network",
    "The cost of {network} cannot be estimated without running its code.",
    "Nothing needs to be done. Train PyTorch Model reports it.",
)
OWN_NETWORK = Sentence(
    "own_network_made",
    "{network}, {parameters:,} parameters, {classes} classes, {width} x {height} pixels",
)
