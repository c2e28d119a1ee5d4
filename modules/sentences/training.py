"""Messages about the data, the settings and the results of a training."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_IMAGES = Sentence("The input contains no images.", "Connect an output that contains images.")
NOT_LABELLED = Sentence(
    "{missing:,} of {images:,} images have no label.",
    "Put the images of each class into one folder and run Convert to Image Directory again.",
)
UNKNOWN_LABELS = Sentence(
    "Some labels are not in the list of classes: {labels}.",
    "Turn on Ignore cache for Convert to Image Directory and run it again.",
)
CLASSES_DIFFER = Sentence(
    "The classes of the two datasets differ: {how:; }.",
    "Add Align Classes before this node, or divide one converted dataset with Split Image "
    "Directory.",
)
ONLY_TRAINING = Sentence("only the training dataset has {classes}")
ONLY_VALIDATION = Sentence("only the validation dataset has {classes}")
ONE_CLASS = Sentence(
    "The images have only one class. Training needs at least two.",
    "Add a second folder with images of another class.",
)
UNSEEN_CLASSES = Sentence(
    "The training dataset has no images of {classes}, so the model cannot learn them.",
    "Split with a larger fraction, or add images.",
)
BATCH_TOO_LARGE = Sentence(
    "{processes:The batch size|{processes} processes x batch size} {batch:,} exceeds the number of "
    "training images ({images:,}).",
    "Set Batch size to {fitting:,} or less, or use fewer processes.",
)
BATCH_WILL_BE_TOO_LARGE = Sentence(
    "A batch of {batch:,} images{processes:| in each of {processes} processes} exceeds the number "
    "of training images ({images:,}).",
    "Set Batch size to {fitting:,} or less.",
)
BATCH_OF_ONE = Sentence(
    "Batch normalization needs at least two images per batch.", "Set Batch size to 2 or more."
)

VALIDATION_COPIES = Sentence(
    "{copies:,} of {images:,} validation images are copies of training images, so validation "
    "results are too optimistic: {paths}.",
    "Remove the copies from one side, or divide all images with Split Image Directory.",
)
ONLY_WARM_UP = Sentence(
    "The warm-up of {warm_up} epochs covers all {epochs} epochs, so the learning rate never "
    "decays.",
    "Set Warmup step number to less than Epochs.",
)
ROUNDS_DIFFERENTLY = Sentence(
    "Reproducible is on, but some kernels round differently in each run with {precision}.",
    "Set Precision to auto or fp32.",
)
RATE_BEYOND_REASON = Sentence(
    "A learning rate of {rate:g} is far too high: the loss will diverge.",
    "Set Learning rate to 0.1 or less. For pretrained weights, use about 0.001.",
)
FROZEN_RANDOM_STATISTICS = Sentence(
    "Batch normalization is frozen, but the network starts from random weights.",
    "Set Batch normalization to learned, or start from pretrained weights.",
)
RATE_OF_SGD = Sentence(
    "A learning rate of {rate:g} suits sgd, but {optimizer} diverges with it.",
    "Set Learning rate to about 0.001.",
)
FEATURES_STORED = Sentence("The frozen layers run once per image; their features are stored.")
FEATURES_OF_VIEWS = Sentence(
    "There are few training images ({images}): {features} features of slightly enlarged and "
    "reduced copies train the head as well."
)
FEATURES_RECOMPUTED = Sentence(
    "The frozen layers run in every epoch, because random operations change the images "
    "({operations}).",
)
DIVERGED = Sentence(
    "The loss became infinite or NaN in epoch {epoch} with a learning rate of {rate:g}.",
    "Use a lower learning rate, for example {lower:g}.",
)
IMPLAUSIBLE_WEIGHTS = Sentence(
    "After epoch {epoch}, layer {layer} contains implausible weights ({tensor}: {value}).",
    "Use a lower learning rate, for example {lower:g}.",
    key="implausible_trained_weights",
)
IMPLAUSIBLE_ROUNDED_WEIGHTS = Sentence(
    "After epoch {epoch}, layer {layer} contains implausible weights ({tensor}: {value}).",
    "Set Precision to fp32. If that does not help, lower the learning rate to {lower:g}.",
)
DIVERGED_BUT_KEPT = Sentence(
    "{why.message}",
    "{why.cure} The best weights, of epoch {epoch}, are kept. To continue from them, enter "
    "{weights} as Weights file of the model.",
)
NO_COMPILER = Sentence(
    "Compile is on, but no C++ compiler was found. The model runs uncompiled.",
    "Install g++ or clang, or set Compile to auto.",
)
CHECKPOINT_DAMAGED = Sentence(
    "The checkpoint {checkpoint} is damaged and was skipped.",
    "Nothing needs to be done. Training resumes from the previous checkpoint, or restarts.",
)
TRAINED = Sentence("{share:.1f} % validation accuracy, best epoch {best} of {epochs}")

name_sentences(globals())
