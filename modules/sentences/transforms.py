"""Messages about transformations and the image sizes that they produce."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

CROPPED_TWICE = Sentence(
    "cropped_twice",
    "Random crop is applied to the result of Random resized crop.",
    "Turn off one of the two.",
)
TWO_POLICIES = Sentence(
    "two_policies",
    "RandAugment and TrivialAugment are both on. Use only one policy.",
    "Turn off one of the two.",
)
GREY_ALREADY = Sentence(
    "grey_already",
    "Random grayscale has no effect: Grayscale already removes the colour of every image.",
    "Turn off one of the two.",
)
NO_DEGREES = Sentence(
    "no_degrees",
    "{title} is on with 0 degrees and has no effect.",
    "Set a number of degrees, for example 15, or turn {title} off.",
)
NO_PADDING = Sentence(
    "no_padding",
    "Pad is on with a padding of 0 and has no effect.",
    "Set a number of pixels, for example 4, or turn Pad off.",
)
CROP_TOO_LARGE = Sentence(
    "crop_too_large",
    "The crop of {crop} pixels is larger than the resized image ({size}). A black frame is added.",
    "Set Crop size to {size} or less, or Size to {crop} or more.",
)
RANDOM_CROP_TOO_LARGE = Sentence(
    "random_crop_too_large",
    "The random crop of {crop} pixels is larger than the image ({size}). A black frame is added.",
    "Set Random crop size to {size} or less.",
)
SIZES_MAY_DIFFER = Sentence(
    "sizes_may_differ",
    "Images may have different sizes in inference, but training and scoring need one size.",
    "Turn on Center crop, unless all images already have the same size.",
)
SIZE_OF_INFERENCE_DIFFERS = Sentence(
    "size_of_inference_differs",
    "Images are {training} for training and {inference} for inference.",
    "Set both crops to the same size, unless this is intended.",
)
UNEQUAL_SIZE = Sentence("unequal_size", "of different sizes")
SIZE = Sentence("size", "{width} x {height} pixels")

REPLACED = Sentence(
    "replaced",
    "The images already had a transformation. It was replaced by this one.",
    "If you need both, put all operations into one Init Image Transformation.",
)
ATTACHED = Sentence("attached", "{images:,} images, {operations} operations {mode}")
OPERATIONS = Sentence("operations", "{operations}")
UNKNOWN_OPERATION = Sentence(
    "unknown_operation",
    "The transformation contains an unknown operation {operation!r}.",
    "Run Init Image Transformation again with this version.",
)
