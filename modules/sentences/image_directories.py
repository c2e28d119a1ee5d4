"""Messages about datasets that are converted, divided and aligned."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

SOME_WITHOUT_LABEL = Sentence(
    "Some images have no label.",
    "Put the images of each class into one folder and convert them again.",
)
NO_COMMON_CLASS = Sentence(
    "The two sets of images have no class in common: {first} and {second}.",
    "Use the same folder names for the same classes in both.",
)
CLASSES_LEFT_OUT = Sentence(
    "{images:,} images of {classes} were left out because only one input has these classes.",
    "If these are the same classes, give their folders the same names.",
)
ALIGNED = Sentence("{common:,} common classes, {kept:,} of {images:,} images")

ONE_SIDE_EMPTY = Sentence(
    "A fraction of {fraction:g} of {images:,} images leaves one output empty.",
    "Set the fraction to {least:g} or more, but less than 1.",
)
TOO_FEW_TO_STRATIFY = Sentence(
    "Some classes have too few images to be divided in this proportion: {classes}.",
    "They were divided together. Add images, or choose a fraction closer to 0.5.",
)
TOO_FEW_TO_SPLIT = Sentence(
    "{images:Only 1 image|No images} to split.", "Provide at least 2 images."
)
ALL_DUPLICATES = Sentence(
    "All images are in one output because too many of them are identical and kept together.",
    "Turn off Keep duplicates together, or add different images.",
)
DIVIDED = Sentence("{first:,} and {second:,} images")

RENAMED = Sentence(
    "Files of the archive have the same name on this disk and were numbered: {files}.",
    "Rename them in the archive.",
)
IMAGE_IN_FILE = Sentence("{file}: {why.message}", "{why.cure}")
IMAGES_EXCEED_LIMIT = Sentence(
    "These images have more than {megapixels:,.0f} megapixels and are not decoded: {images}.",
    "Make them smaller, or remove them from the dataset.",
)
UNREADABLE_IMAGE = Sentence(
    "The image {image} cannot be read: {why}.",
    "Replace or delete it, or set On unreadable image to skip and list.",
)
UNREADABLE_IMAGES = Sentence(
    "The image {image} cannot be read: {why}. {others:,} more {others:image|images} cannot be "
    "read.",
    "Replace or delete it, or set On unreadable image to skip and list.",
)
_IMAGES_ARE = (
    "Use a folder or archive of JPEG, PNG, PPM, PGM, BMP, TIFF, WebP or GIF images. Put each class "
    "into one folder."
)
NOTHING_VALID = Sentence("{name} contains no valid images.", _IMAGES_ARE)
NONE_VALID = Sentence("{name} contains no valid images ({reasons}).", _IMAGES_ARE)
LEFT_OUT = Sentence("{file}: {why}")
MISPLACED = Sentence(
    "Images outside of the class folders were left out: {images}.",
    "Assign a class to each of them.",
)
MISPLACED_IMAGE = Sentence("{file} ({why})")
EMPTY_CLASSES = Sentence(
    "Classes without valid images were removed: {classes}.", "Add images, or delete the folders."
)
IN_TWO_CLASSES = Sentence(
    "The same image belongs to several classes: {pairs}.",
    "Delete it from the wrong class. Contradictory labels reduce the accuracy of the model.",
)
IMAGES = Sentence("{images:,} {images:image|images}")
CLASSES = Sentence("{classes:,} {classes:class|classes}")
UNLABELLED = Sentence("no labels")
SKIPPED = Sentence("{files:,} skipped")
SKIPPED_KINDS = Sentence("{files:,} skipped ({kinds})")
DUPLICATES = Sentence("{duplicates:,} {duplicates:duplicate|duplicates}")

SPELLED_ALIKE = Sentence(
    "Folders whose names differ only in their Unicode form are treated as one class: {names}.",
    "If they are different classes, rename one of the folders.",
)
SPELLINGS = Sentence("{name} ({spellings: and })")
CLASSES_NEARLY_ALIKE = Sentence(
    "The names of these classes differ only in case or spaces: {names:; }.",
    "If they are one class, give them the same name and run this node again.",
)
SPELLINGS_OF_CLASS = Sentence("{names: and }")

# Reasons why an image has no label. They complete "left out: ...".

NOT_IN_TABLE = Sentence("it is not in {table}")
NAMED_BUT_NOT_THERE = Sentence("listed in {table}, but the file does not exist")
NAMED_TWICE = Sentence("listed in {table}, but several files have this name")
NO_LABEL_IN_NAME = Sentence("its name contains no label")

name_sentences(globals())
