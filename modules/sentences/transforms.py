"""Messages about transformations and the image sizes that they produce."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

CROPPED_TWICE = Sentence(
    "Random crop is applied to the result of Random resized crop.", "Turn off one of the two."
)
TWO_POLICIES = Sentence(
    "RandAugment and TrivialAugment are both on. Use only one policy.", "Turn off one of the two."
)
GREY_ALREADY = Sentence(
    "Random grayscale has no effect: Grayscale already removes the colour of every image.",
    "Turn off one of the two.",
)
NO_DEGREES = Sentence(
    "{title} is on with 0 degrees and has no effect.",
    "Set a number of degrees, for example 15, or turn {title} off.",
)
NO_PADDING = Sentence(
    "Pad is on with a padding of 0 and has no effect.",
    "Set a number of pixels, for example 4, or turn Pad off.",
)
CROP_TOO_LARGE = Sentence(
    "The crop of {crop} pixels is larger than the resized image ({size}). A black frame is added.",
    "Set Crop size to {size} or less, or Size to {crop} or more.",
)
RANDOM_CROP_TOO_LARGE = Sentence(
    "The random crop of {crop} pixels is larger than the image ({size}). A black frame is added.",
    "Set Random crop size to {size} or less.",
)
SIZES_MAY_DIFFER = Sentence(
    "Images may have different sizes in inference, but training and scoring need one size.",
    "Turn on Center crop, unless all images already have the same size.",
)
SIZE_OF_INFERENCE_DIFFERS = Sentence(
    "Images are {training} for training and {inference} for inference.",
    "Set both crops to the same size, unless this is intended.",
)
UNEQUAL_SIZE = Sentence("of different sizes")
SIZE = Sentence("{width} x {height} pixels")

REPLACED = Sentence(
    "The images already had a transformation. It was replaced by this one.",
    "If you need both, put all operations into one Init Image Transformation.",
)
ATTACHED = Sentence("{images:,} images, {operations} operations {mode}")
OPERATIONS = Sentence("{operations}")
UNKNOWN_OPERATION = Sentence(
    "The transformation contains an unknown operation {operation!r}.",
    "Run Init Image Transformation again with this version.",
)

name_sentences(globals())
