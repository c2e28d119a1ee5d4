"""Messages about inference pipelines: why nodes are removed, replaced, changed or added."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

# reasons of changes

MODEL_REPLACES_TRAINING = Sentence("{model} takes the place of the training.")
PINNED = Sentence("It uses {model}, which never changes.")
ONE_SCORE_IS_ENOUGH = Sentence("An inference pipeline scores its images once.")
SCORE_ADDED = Sentence("The pipeline had no Score Image Model.")
NOT_FOR_REQUESTS = Sentence("Requests contain only images to classify.")
WITHOUT_LABELS = Sentence("Images of requests have no labels and no parts.")
CONVERTED = Sentence("It checks and lists the images of a request.")
FOR_INFERENCE = Sentence("Mode For inference skips all random operations.")
RANDOM_OPERATIONS_OFF = Sentence("Random operations are turned off: {operations}.")
FEEDS_TRAINING = Sentence("It only feeds the training.")
NOT_NEEDED = Sentence("It is not needed to classify images.")
DISABLED_NODE = Sentence("It was disabled.")
INPUT_ADDED = Sentence("It receives the images of a request, or of a batch.")
OUTPUT_ADDED = Sentence("It outputs the label and the probabilities of each image.")

# refusals

NOTHING_TRAINED = Sentence(
    "The pipeline contains no node that outputs a trained model.",
    "Use a pipeline with Train PyTorch Model or Registered Model.",
)
SEVERAL_TRAINED = Sentence(
    "Several nodes output a trained model: {nodes}.", "Choose one with --node, or disable others."
)
SEVERAL_IMAGE_INPUTS = Sentence(
    "{title} has several inputs of images, but requests contain only one set.",
    "Remove it from the way to Score Image Model.",
)
NEEDS_TRAINING = Sentence(
    "{title} is needed to read the images, but depends on the training.",
    "Read the images without it, then derive the pipeline again.",
)
UNKNOWN_ON_THE_WAY = Sentence(
    "The module of {title} is not available.", "Install it, or remove the node."
)
MODULE_MISSING = Sentence("The module {module} is not available.", "Update Pipeline Designer.")
NO_MODEL_OF_PIPELINE = Sentence(
    "No registered model was trained by this pipeline.",
    "Register the model of a run first, or choose one with --model.",
)

name_sentences(globals())
