"""What is said of networks that users write themselves."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_CLASS = Sentence(
    "no_network_class",
    "The text defines no network.",
    "Define a class that inherits from torch.nn.Module.",
)
WHICH_NETWORK = Sentence(
    "which_network",
    "The text defines several networks: {there}.",
    "Write the name of the one to train as Network.",
)
NO_SUCH_NETWORK = Sentence(
    "no_such_network",
    "The text defines no {network!r}; there are: {there}.",
    "Correct Network, or leave it empty where there is only one.",
)
NO_NETWORK = Sentence(
    "no_network_made",
    "{network} gives a {type}, which is no network.",
    "Let it be a class that inherits from torch.nn.Module, or a function that returns one.",
)
LAZY_LAYERS = Sentence(
    "lazy_layers",
    "{network} has lazy layers, whose sizes are not known before its first images.",
    "Give the number of inputs: nn.Linear(512, num_classes) instead of nn.LazyLinear(num_classes).",
)
NOTHING_TO_TRAIN = Sentence(
    "nothing_to_train",
    "{network} has no weights that could be trained.",
    "Make its layers in __init__ and keep them: self.head = nn.Linear(512, num_classes).",
)
MORE_THAN_TENSORS = Sentence(
    "own_network_more_than_tensors",
    "The state dict of {network} holds more than tensors: {names}.",
    "Leave get_extra_state out, so that its weights can be kept and loaded without running code.",
)
NOT_ALL_KEPT = Sentence(
    "own_network_not_all_kept",
    "{network} draws numbers in __init__ that its state dict does not hold: with the same weights "
    "it gives other scores each time it is made.",
    "Keep them by self.register_buffer('name', tensor), a list of layers as nn.ModuleList(list); "
    "or draw them with a seed of their own: torch.Generator().manual_seed(1).",
)
NO_SCORES = Sentence(
    "no_scores",
    "{network} gives {shape} for {images} images of {width} x {height} pixels, and not one score "
    "for each of {classes} classes: ({images}, {classes}).",
    "Let its last layer give as many numbers as there are classes, and let __init__ take "
    "num_classes: nn.Linear(512, num_classes).",
)
FAILS_AT_IMAGES = Sentence(
    "own_network_fails",
    "{network} fails at images of {width} x {height} pixels: {error}.",
    "Correct it there, or give images of another size.",
)
NO_FILE = Sentence(
    "no_network_file",
    "There is no file {file}.",
    "Give the path of a Python file on this server.",
)
FILE_TOO_LARGE = Sentence(
    "network_file_too_large",
    "The file {file} is longer than {most:,} characters.",
    "Give a file that holds the network alone.",
)
FILE_NO_TEXT = Sentence(
    "network_file_no_text",
    "The file {file} cannot be read as text: {error}.",
    "Give a Python file in UTF-8.",
)
FILE_MISSING = Sentence(
    "network_file_missing",
    "Create Python Model has no file.",
    "Give the path of a Python file on this server, or type the network.",
)
FILE_CHANGED = Sentence(
    "network_file_changed",
    "The file of the network changed since the run was planned: what is in it now is used, for "
    "this run alone.",
    "Run again, so that the result can be reused.",
)
COST_UNKNOWN = Sentence(
    "cost_of_own_network",
    "What {network} costs is not foreseen: its own code would have to run for that.",
    "Nothing to do: Train PyTorch Model tells it.",
)
OWN_NETWORK = Sentence(
    "own_network_made",
    "{network}, {parameters:,} parameters, {classes} classes, {width} x {height} pixels",
)
