"""What a training says of its data, its settings and how it went."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_IMAGES = Sentence("no_images", "There are no images.", "Connect images that hold some.")
NOT_LABELLED = Sentence(
    "not_labelled",
    "{missing:,} of {images:,} images have no label.",
    "Put the images into one folder a class and run Convert to Image Directory again.",
)
UNKNOWN_LABELS = Sentence(
    "unknown_labels",
    "Some labels are not in the list of classes: {labels}.",
    "Run Convert to Image Directory again with Ignore cache switched on.",
)
CLASSES_DIFFER = Sentence(
    "classes_differ",
    "The classes of the two datasets differ: {how:; }.",
    "Put Align Classes before them, or make both from one Convert to Image Directory by Split "
    "Image Directory.",
)
ONLY_TRAINING = Sentence("only_training", "only the training dataset has {classes}")
ONLY_VALIDATION = Sentence("only_validation", "only the validation dataset has {classes}")
ONE_CLASS = Sentence(
    "one_class",
    "There is only one class, so there is nothing to tell apart.",
    "Add a second folder with images of another class.",
)
UNSEEN_CLASSES = Sentence(
    "unseen_classes",
    "The training dataset has no image of {classes}, so the model can't learn them.",
    "Split with a larger fraction, or add images.",
)
BATCH_TOO_LARGE = Sentence(
    "batch_too_large",
    "{processes:The batch size|{processes} processes x batch size} {batch:,} is more than the "
    "{images:,} training images.",
    "Set Batch size to {fitting:,} or less, or use fewer processes.",
)
BATCH_WILL_BE_TOO_LARGE = Sentence(
    "batch_will_be_too_large",
    "A batch of {batch:,} images{processes:| in each of {processes} processes} is more than the "
    "{images:,} training images.",
    "Set Batch size to {fitting:,} or less.",
)
BATCH_OF_ONE = Sentence(
    "batch_of_one",
    "A batch of one image has no spread, which the batch normalisation of this model divides by.",
    "Set Batch size to 2 or more.",
)

VALIDATION_COPIES = Sentence(
    "validation_copies",
    "{copies:,} of {images:,} validation images are copies of training images: {paths}. "
    "Validation results are therefore too good.",
    "Remove the copies from one side, or divide all images by Split Image Directory.",
)
ONLY_WARM_UP = Sentence(
    "only_warm_up",
    "The warm-up of {warm_up} epochs fills all {epochs} epochs: the learning rate never decays.",
    "Set Warmup step number below Epochs.",
)
ROUNDS_DIFFERENTLY = Sentence(
    "rounds_differently",
    "Reproducible is on with {precision}, which some kernels round differently from run to run.",
    "Set Precision to auto or fp32.",
)
RATE_BEYOND_REASON = Sentence(
    "rate_beyond_reason",
    "A learning rate of {rate:g} is far beyond what trains: the loss will leave all bounds.",
    "Set Learning rate to 0.1 or less; pretrained weights want about 0.001.",
)
RATE_OF_SGD = Sentence(
    "rate_of_sgd",
    "{rate:g} is a learning rate for sgd; {optimizer} diverges with it.",
    "Set Learning rate to about 0.001.",
)
DIVERGED = Sentence(
    "diverged",
    "The loss is no longer a finite number in epoch {epoch}, with a learning rate of {rate:g}.",
    "Lower the learning rate: try {lower:g}.",
)
IMPLAUSIBLE_WEIGHTS = Sentence(
    "implausible_trained_weights",
    "After epoch {epoch}, layer {layer} holds weights that no training leads to "
    "({tensor}: {value}).",
    "Lower the learning rate: try {lower:g}.",
)
IMPLAUSIBLE_ROUNDED_WEIGHTS = Sentence(
    "implausible_rounded_weights",
    "After epoch {epoch}, layer {layer} holds weights that no training leads to "
    "({tensor}: {value}).",
    "Set Precision to fp32. If that does not help, lower the learning rate to {lower:g}.",
)
DIVERGED_BUT_KEPT = Sentence(
    "diverged_but_kept",
    "{why.message}",
    "{why.cure} The best weights so far, of epoch {epoch}, are kept: to go on from them, give "
    "{weights} to the model as its Weights file.",
)
NO_COMPILER = Sentence(
    "no_compiler",
    "Compile is on, but there is no C++ compiler; the model runs uncompiled.",
    "Install g++ or clang, or set Compile to auto.",
)
CHECKPOINT_DAMAGED = Sentence(
    "checkpoint_damaged",
    "The checkpoint {checkpoint} is damaged and left out.",
    "Nothing to do: training goes on from the one before, or from the beginning.",
)
TRAINED = Sentence("trained", "{share:.1f} % top-1, best epoch {best} of {epochs}")
