"""Messages about networks that users write."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_CLASS = Sentence(
    "The code defines no network.",
    "Define a class that inherits from torch.nn.Module.",
    key="no_network_class",
)
WHICH_NETWORK = Sentence(
    "The code defines several networks: {there}.",
    "Enter the name of the network to train as Network.",
)
NO_SUCH_NETWORK = Sentence(
    "The code does not define {network!r}. It defines: {there}.",
    "Correct Network, or leave it empty if there is only one.",
)
NO_NETWORK = Sentence(
    "{network} returns an object of type {type}, which is not a network.",
    "Use a class that inherits from torch.nn.Module, or a function that returns one.",
    key="no_network_made",
)
LAZY_LAYERS = Sentence(
    "{network} has lazy layers, whose sizes are unknown before the first batch.",
    "Specify the number of inputs: nn.Linear(512, num_classes) instead of "
    "nn.LazyLinear(num_classes).",
)
NOTHING_TO_TRAIN = Sentence(
    "{network} has no trainable weights.",
    "Create its layers in __init__ and assign them: self.head = nn.Linear(512, num_classes).",
)
MORE_THAN_TENSORS = Sentence(
    "The state dict of {network} contains more than tensors: {names}.",
    "Remove get_extra_state. Weights must be saved and loaded without running code.",
    key="own_network_more_than_tensors",
)
NOT_ALL_KEPT = Sentence(
    "{network} draws random numbers in __init__ that are not in its state dict. Rebuilt with the "
    "same weights, it returns different scores.",
    "Use self.register_buffer('name', tensor), or nn.ModuleList(list) for a list of layers. Or use "
    "a fixed seed: torch.Generator().manual_seed(1).",
    key="own_network_not_all_kept",
)
NO_SCORES = Sentence(
    "{network} returns {shape} for {images} images of {width} x {height} pixels. Expected one "
    "score for each of {classes} classes: ({images}, {classes}).",
    "Let __init__ accept num_classes and use it in the last layer: nn.Linear(512, num_classes).",
)
FAILS_AT_IMAGES = Sentence(
    "{network} fails on images of {width} x {height} pixels: {error}.",
    "Correct the code, or use images of another size.",
    key="own_network_fails",
)
NO_FILE = Sentence(
    "File {file} was not found.",
    "Enter the path of a Python file on this server.",
    key="no_network_file",
)
FILE_TOO_LARGE = Sentence(
    "The file {file} is longer than {most:,} characters.",
    "Use a file that contains only the network.",
    key="network_file_too_large",
)
FILE_NO_TEXT = Sentence(
    "The file {file} cannot be read as text: {error}.",
    "Use a Python file in UTF-8.",
    key="network_file_no_text",
)
FILE_MISSING = Sentence(
    "Create Python Model has no file.",
    "Enter the path of a Python file on this server, or type the code of the network.",
    key="network_file_missing",
)
FILE_CHANGED = Sentence(
    "The file of the network changed after the run was planned. This run uses the current file, "
    "and its outputs are not cached.",
    "Run again so that the outputs can be reused.",
    key="network_file_changed",
)
COST_UNKNOWN = Sentence(
    "The cost of {network} cannot be estimated without running its code.",
    "Nothing needs to be done. Train PyTorch Model reports it.",
    key="cost_of_own_network",
)
OWN_NETWORK = Sentence(
    "{network}, {parameters:,} parameters, {classes} classes, {width} x {height} pixels",
    key="own_network_made",
)

name_sentences(globals())
