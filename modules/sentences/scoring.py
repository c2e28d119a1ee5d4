"""What is said of scored images and of those to be scored."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_IMAGES_TO_SCORE = Sentence(
    "no_images_to_score",
    "There are no images to score.",
    "Connect images that hold some.",
)
UNKNOWN_CLASSES = Sentence(
    "unknown_classes",
    "The model does not know {classes}: images of them always count as wrong.",
    "Train with these classes, or leave such images out.",
)
TRAINING_COPIES = Sentence(
    "training_copies",
    "{copies:,} of {images:,} {which}images are copies of the model's training images: {paths}. "
    "Results of these are too good.",
    "Use images that the model was not trained with.",
)
OTHER_SIZE = Sentence(
    "other_size",
    "The model was trained for images of {trained_width} x {trained_height} pixels; these are "
    "{width} x {height}.",
    "Attach the transformation of the training images.",
)
SCORED = Sentence("scored", "{images:,} images scored")
AS_LABELLED = Sentence("as_labelled", "{share:.1f} % as labelled")

NOT_SCORED = Sentence(
    "not_scored",
    "The table is not what Score Image Model writes: {why}.",
    "Connect the output of Score Image Model.",
)
NO_ROWS = Sentence("no_rows", "it has no images or no probabilities")
NO_NUMBERS = Sentence("no_numbers", "its probabilities are not numbers")
NOT_IN_RANGE = Sentence("not_in_range", "its probabilities are not all between 0 and 1")

NO_LABELS = Sentence(
    "no_labels",
    "The scored images have no labels to compare the predictions with.",
    "Score images that lie in one folder a class.",
)
SOME_NOT_LABELLED = Sentence(
    "some_not_labelled",
    "{left_out:,} of {images:,} images have no label and are left out.",
    "Label them to count them.",
)
IMAGES_OF_UNKNOWN_CLASSES = Sentence(
    "images_of_unknown_classes",
    "{unknown:,} of {images:,} {which}images ({share:.1f} %) are of classes the model does not "
    "know: {classes}. They count as wrong in every metric, and there is no Log_Loss.",
    "Train with these classes, or leave such images out.",
)
TEST_SETS_DIFFER = Sentence(
    "test_sets_differ",
    "The two test sets differ: the two scored datasets share {shared:,} images and hold {first:,} "
    "and {second:,}, so that their metrics are of different images.",
    "Score the same images with both models.",
)
EVALUATED = Sentence("evaluated", "accuracy {accuracy:.1f} %")
COMPARED = Sentence(
    "compared", "accuracy {accuracy:.1f} % against {other:.1f} %, {differ:,} predictions differ"
)
