"""Messages about scored images and images to score."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_IMAGES_TO_SCORE = Sentence(
    "The input contains no images to score.", "Connect an output that contains images."
)
NO_IMAGES_IN_FOLDER = Sentence(
    "The folder {folder} contains no images.", "Choose a folder with image files."
)
UNKNOWN_CLASSES = Sentence(
    "The model does not know {classes}. Images of these classes always count as wrong.",
    "Train with these classes, or remove these images.",
)
TRAINING_COPIES = Sentence(
    "{copies:,} of {images:,} {which}images are copies of the model's training images, so their "
    "results are too optimistic: {paths}.",
    "Use images that the model was not trained on.",
)
OTHER_SIZE = Sentence(
    "The model was trained on images of {trained_width} x {trained_height} pixels, but these have "
    "{width} x {height}.",
    "Attach the transformation of the training images.",
)
TRANSFORMATION_NOT_USED = Sentence(
    "The attached transformation is not used, as the ONNX file prepares images itself: "
    "{preparation:; }.",
    "Connect the images without it, or score with the trained model.",
)
BATCH_OF_OTHER_SIZE = Sentence(
    "The images have {width} x {height} pixels, but the ONNX file accepts batches of "
    "{wanted_width} x {wanted_height}.",
    "Attach the transformation of the training images, or export without Batch.",
)
SCORED = Sentence("{images:,} images scored")
CORRECT = Sentence("{share:.1f} % correct", key="as_labelled")
"""Predicted class equals the label; the key is that of recorded runs."""

NOT_SCORED = Sentence(
    "The table was not written by Score Image Model: {why}.",
    "Connect the output of Score Image Model.",
)
NO_ROWS = Sentence("it has no images or no probabilities")
NO_NUMBERS = Sentence("its probabilities are not numbers")
NOT_IN_RANGE = Sentence("its probabilities are not all between 0 and 1")

NO_LABELS = Sentence(
    "The scored images have no labels, so predictions cannot be evaluated.",
    "Score images that are in one folder for each class.",
)
SOME_NOT_LABELLED = Sentence(
    "{left_out:,} of {images:,} images have no label and are ignored.",
    "To include them, add labels.",
)
IMAGES_OF_UNKNOWN_CLASSES = Sentence(
    "The model does not know the classes of {unknown:,} of {images:,} {which}images ({share:.1f} "
    "%): {classes}. They count as wrong in every metric, and Log_Loss is not computed.",
    "Train with these classes, or remove these images.",
)
TEST_SETS_DIFFER = Sentence(
    "The two test sets differ: the scored datasets contain {first:,} and {second:,} images and "
    "share {shared:,}. Their metrics are not comparable.",
    "Score the same images with both models.",
)
SCORED_BY_ANOTHER_MODEL = Sentence(
    "The scored images have other classes than the model.",
    "Connect images that Score Image Model scored with this model.",
)
NO_THRESHOLD_FITS = Sentence(
    "At no confidence are at most {share} of the answers wrong.",
    "Allow more wrong answers, or train a better model.",
)
FEW_IMAGES_FOR_THRESHOLD = Sentence(
    "The threshold was fitted on {images} images, so it is uncertain.",
    "Use at least 100 validation images.",
)
THRESHOLD_FITTED = Sentence(
    "answers {answered:.1f} % of the images, {wrong:.1f} % of the answers wrong (new images: up to "
    "{bound:.1f} %)"
)
ACCEPTED_SHARE = Sentence("{share:.1f} % answered")

EVALUATED = Sentence("accuracy {accuracy:.1f} %")
EVALUATED_ON_FEW = Sentence(
    "accuracy {accuracy:.1f} %, likely {low:.0f} to {high:.0f} % ({images} images)"
)
COMPARED = Sentence(
    "accuracy {accuracy:.1f} % against {other:.1f} %, {differ:,} predictions differ"
)

ANSWERED = Sentence("{images:,} {images:image|images} classified")
UNREADABLE_IMAGE_SENT = Sentence(
    "The image cannot be read: {why}.", "Send a complete image, for example a JPEG or PNG file."
)
PICTURE_OF_OTHER_SIZE = Sentence(
    "The image has {width} x {height} pixels, but the model needs {wanted_width} x "
    "{wanted_height}.",
    "Send images of that size, or train with Resize and Center crop.",
)
MODEL_WITHOUT_SIZE = Sentence(
    "The model does not state the size of its images.", "Train it again with this version."
)
NO_FEATURES = Sentence(
    "{network} has no features that images can be compared by.",
    "Use another network, such as EfficientNet-Lite0.",
)
NO_ROOM_FOR_FEATURES = Sentence(
    "The disk has no space for the features of the training images.", "Free disk space."
)
TOO_FEW_TO_LEARN_FROM = Sentence(
    "A learning curve needs at least two images of each class.", "Add images."
)

RUNTIMES_SWITCHED_OFF = Sentence("DESIGNER_SWITCH_OFF contains {switch}.")
RUNTIMES_NOT_INSTALLED = Sentence(
    "No other runtime than torch is installed.", "Install the extra onnx or openvino."
)
RUNTIME_STAYS = Sentence(
    "Models that were trained with Reproducible, or that use a GPU, stay with torch."
)
RUNTIME_ROUNDS = Sentence("Models that compute in {format} stay with torch.")
RUNTIME_TOO_LARGE = Sentence("The weights are too large to be exported.")
RUNTIME_NOT_STORED = Sentence(
    "The exported model cannot be stored. The log says why.",
    "Free disk space or make the cache of the workspace writable, then restart the endpoint.",
)
RUNTIME_TRIAL_ENDED = Sentence(
    "The process that compares runtimes ended with code {code}.",
    "See its output in the log. It is started again after a day.",
)
RUNTIME_TRIAL_TIMED_OUT = Sentence(
    "Runtimes could not be compared within {minutes:.0f} minutes.",
    "It is tried again after a day.",
)
RUNTIME_TRIAL_DISTURBED = Sentence(
    "Other work slowed the comparison of runtimes, and by CPU time torch is the fastest.",
    "It is repeated when the machine is quiet, up to {most} times.",
)
RUNTIME_DIFFERS = Sentence("its probabilities differ by up to {difference:.2g}")
RUNTIMES_REFUSED = Sentence("No other runtime can be used: {reasons:; }.")
RUNTIME_FAILED = Sentence(
    "{runtime} failed, so torch computes: {why}.", "See the log; swap or restart to try it again."
)
RUNTIME_NOT_FINITE = Sentence("it returned values that are not numbers")

name_sentences(globals())
