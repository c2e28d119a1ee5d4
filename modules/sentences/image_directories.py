"""What is said of datasets that are converted, divided and aligned."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

SOME_WITHOUT_LABEL = Sentence(
    "some_without_label",
    "Some images have no label, so their class is not known.",
    "Put the images into one folder a class and convert them again.",
)
NO_COMMON_CLASS = Sentence(
    "no_common_class",
    "The two sets of images have no class in common: {first} and {second}.",
    "Name the folders of one class alike in both.",
)
CLASSES_LEFT_OUT = Sentence(
    "classes_left_out",
    "{images:,} images of {classes} are left out: only one of the two has these classes.",
    "Rename the folders where they mean the same.",
)
ALIGNED = Sentence("aligned", "{common:,} common classes, {kept:,} of {images:,} images")

ONE_SIDE_EMPTY = Sentence(
    "one_side_empty",
    "A fraction of {fraction:g} of {images:,} images leaves one output empty.",
    "Choose {least:g} or more, and less than 1.",
)
TOO_FEW_TO_STRATIFY = Sentence(
    "too_few_to_stratify",
    "Too few images to divide each class in this proportion: {classes}.",
    "They were divided together; add images, or choose a fraction nearer to one half, to have "
    "each of them on both sides.",
)
TOO_FEW_TO_SPLIT = Sentence(
    "too_few_to_split",
    "There {images:is 1 image|are no images} to split.",
    "Give at least 2.",
)
ALL_DUPLICATES = Sentence(
    "all_duplicates",
    "All images on one side: too many of them are identical to be kept together.",
    "Switch off Keep duplicates together, or add different images.",
)
DIVIDED = Sentence("divided", "{first:,} and {second:,} images")

RENAMED = Sentence(
    "renamed",
    "Files of the archive have the same name on this disk and got a number: {files}.",
    "Rename them in the archive.",
)
IMAGE_IN_FILE = Sentence("image_in_file", "{file}: {why.message}", "{why.cure}")
UNREADABLE_IMAGE = Sentence(
    "unreadable_image",
    "The image {image} is unreadable: {why}.",
    "Replace or delete it, or set On unreadable image to skip and list.",
)
UNREADABLE_IMAGES = Sentence(
    "unreadable_images",
    "The image {image} is unreadable: {why}. So {others:is|are} {others:,} more.",
    "Replace or delete it, or set On unreadable image to skip and list.",
)
_IMAGES_ARE = (
    "Give a folder or archive of JPEG, PNG, PPM, PGM, BMP, TIFF, WebP or GIF images, in one folder "
    "for each class."
)
NOTHING_VALID = Sentence("nothing_valid", "There is no valid image in {name}.", _IMAGES_ARE)
NONE_VALID = Sentence("none_valid", "There is no valid image in {name} ({reasons}).", _IMAGES_ARE)
LEFT_OUT = Sentence("left_out", "{file}: {why}")
MISPLACED = Sentence(
    "misplaced",
    "Images that lie in no class were left out: {images}.",
    "Give each of them a class.",
)
MISPLACED_IMAGE = Sentence("misplaced_image", "{file} ({why})")
EMPTY_CLASSES = Sentence(
    "empty_classes",
    "Classes without a valid image were dropped: {classes}.",
    "Add images, or delete the folders.",
)
IN_TWO_CLASSES = Sentence(
    "in_two_classes",
    "The same image lies in different classes: {pairs}.",
    "Delete it where it does not belong, or the model learns a contradiction.",
)
IMAGES = Sentence("images", "{images:,} {images:image|images}")
CLASSES = Sentence("classes", "{classes:,} {classes:class|classes}")
UNLABELLED = Sentence("unlabelled", "no labels")
SKIPPED = Sentence("skipped", "{files:,} skipped")
SKIPPED_KINDS = Sentence("skipped_kinds", "{files:,} skipped ({kinds})")
DUPLICATES = Sentence("duplicates", "{duplicates:,} {duplicates:duplicate|duplicates}")

SPELLED_ALIKE = Sentence(
    "spelled_alike",
    "Folders whose names differ only in how Unicode writes them are one class: {names}.",
    "Give one of them another name if they are not.",
)
SPELLINGS = Sentence("spellings", "{name} ({spellings: and })")
CLASSES_NEARLY_ALIKE = Sentence(
    "classes_nearly_alike",
    "The names of these classes differ only in case or spaces: {names:; }.",
    "If they are one class, give them the same name and run this node again.",
)
SPELLINGS_OF_CLASS = Sentence("spellings_of_class", "{names: and }")

# why an image has no label; the rest of "left out: ..."

NOT_IN_TABLE = Sentence("not_in_table", "it is not in {table}")
NAMED_BUT_NOT_THERE = Sentence("named_but_not_there", "named in {table}, but not there")
NAMED_TWICE = Sentence("named_twice", "named in {table}, but several files have this name")
NO_LABEL_IN_NAME = Sentence("no_label_in_name", "its name has no label")
