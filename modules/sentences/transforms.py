"""What is said of transformations and the sizes that they give."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

CROPPED_TWICE = Sentence(
    "cropped_twice",
    "Random crop works on what Random resized crop has already cut out.",
    "Switch one of the two off.",
)
TWO_POLICIES = Sentence(
    "two_policies",
    "RandAugment and TrivialAugment are both on: each is meant to be the only policy.",
    "Switch one of the two off.",
)
GREY_ALREADY = Sentence(
    "grey_already",
    "Random grayscale has nothing to do: Grayscale removes the colour of every image.",
    "Switch one of the two off.",
)
NO_DEGREES = Sentence(
    "no_degrees",
    "{title} is on with 0 degrees, so it does nothing.",
    "Set a number of degrees, say 15, or switch {title} off.",
)
NO_PADDING = Sentence(
    "no_padding",
    "Pad is on with a padding of 0, so it does nothing.",
    "Set a number of pixels, say 4, or switch Pad off.",
)
CROP_TOO_LARGE = Sentence(
    "crop_too_large",
    "The crop of {crop} pixels is larger than the resized image of {size}: it gets a black frame.",
    "Set Crop size to {size} or less, or Size to {crop} or more.",
)
RANDOM_CROP_TOO_LARGE = Sentence(
    "random_crop_too_large",
    "The random crop of {crop} pixels is larger than the image of {size}: it gets a black frame.",
    "Set Random crop size to {size} or less.",
)
SIZES_MAY_DIFFER = Sentence(
    "sizes_may_differ",
    "For inference, images may come out in different sizes; training and scoring need one size.",
    "Switch Center crop on, unless all images already have the same size.",
)
SIZE_OF_INFERENCE_DIFFERS = Sentence(
    "size_of_inference_differs",
    "Images are {training} for training and {inference} for inference.",
    "Set both crops to the same size, unless you mean it.",
)
UNEQUAL_SIZE = Sentence("unequal_size", "of unequal size")
SIZE = Sentence("size", "{width} x {height} pixels")

REPLACED = Sentence(
    "replaced",
    "The images already had a transformation; it is replaced by this one.",
    "Put all operations into one Init Image Transformation if you need both.",
)
ATTACHED = Sentence("attached", "{images:,} images, {operations} operations {mode}")
OPERATIONS = Sentence("operations", "{operations}")
UNKNOWN_OPERATION = Sentence(
    "unknown_operation",
    "The transformation holds an operation {operation!r}, which there is none of.",
    "Run Init Image Transformation again with this version.",
)
