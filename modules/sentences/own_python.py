"""What is said of users' own Python: the models that scripts write, and code in pipelines."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_MODEL_FILE = Sentence(
    "no_model_file",
    "The model has no file {file!r}; there are: {files}.",
    "Choose one of them as State dict, or leave it empty for the script's own model file.",
)
EMPTY_MODEL = Sentence(
    "empty_model",
    "The script wrote no model.",
    "Let it write one, say by torch.save(model.state_dict(), 'outputs/model.pt').",
)
UNUSABLE_STATE_DICT = Sentence(
    "unusable_state_dict",
    "No tensors can be read from {file}: {why}.",
    "Save them alone in your script: torch.save(model.state_dict(), 'outputs/model.pt'), or a "
    "safetensors file. This file is kept as it is; its model can be registered and downloaded.",
)
STATE_DICT_DOES_NOT_FIT = Sentence(
    "state_dict_does_not_fit",
    "The tensors in {file} are not those of {architecture}: {how}: {names}.",
    "Connect the very network that the script trained.",
)
OTHER_HEAD = Sentence(
    "other_head",
    "The model in {file} tells {outputs} classes apart, the images have {count}: {classes}.",
    "Connect the images that the script learnt from, with all of their classes.",
)
NO_CLASSES = Sentence(
    "no_classes",
    "The images name no classes, so nothing says what the model's outputs stand for.",
    "Connect labelled images: those that the script learnt from.",
)
NO_CHANNELS = Sentence(
    "no_channels",
    "{name} is {text!r}, which is not three numbers, one for each of red, green and blue.",
    "Write them with commas between, as 0.5, 0.5, 0.5.",
)
NO_DEVIATION = Sentence(
    "no_deviation",
    "Standard deviation is {text!r}: pixels cannot be divided by 0 or less.",
    "Write three numbers above 0, as 0.5, 0.5, 0.5.",
)
MADE = Sentence(
    "made_trained_model",
    "{classes} classes, {parameters:,} parameters, {width} x {height} pixels",
)
