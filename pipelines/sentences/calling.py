"""Messages about endpoints, published pipelines and the keys of their callers."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_KEY = Sentence(
    "Invalid key.", "Use {fewest} to {most} letters, digits and signs, without spaces."
)
NO_SLOT = Sentence("There is no key {slot}.", "Choose key 1 or 2.")
NOT_SERVABLE = Sentence(
    "{model} was written by a script and cannot be served.",
    "Register a model of Train PyTorch Model or Make Trained Model.",
)
GOLDEN_FOLDER_EMPTY = Sentence(
    "{folder} contains no image in a folder of one of the model's classes.",
    "Put known images into folders with the names of the classes.",
)
GOLDEN_WRONG = Sentence(
    "{model} is right on {right} of {images} golden {images:image|images}, fewer than the current "
    "version ({before}).",
    "Compare both versions, or change the golden images.",
)
NOT_FINITE = Sentence(
    "{model} returns probabilities that are not numbers.",
    "Check its weights: `designer models check`.",
)
NOT_LOADED = Sentence("{model} could not be loaded: {why}.", "Choose another version.")
MODEL_FILES_CHANGED = Sentence("the files of {model} are gone or were changed.")
NO_EARLIER_VERSION = Sentence(
    "There is no earlier version to return to.", "Name the version to serve."
)

name_sentences(globals())
