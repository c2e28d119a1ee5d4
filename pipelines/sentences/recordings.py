"""Messages about recordings: pictures from a camera or files, on their way to a dataset."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_RECORDING = Sentence("Recording {recording!r} not found.", "Reload the page Camera.")
NO_CLASS = Sentence(
    "This class was removed from {recording!r}.", "Reload the page, or add the class again."
)
NO_PICTURE = Sentence("This image no longer exists.", "Reload the page to see what is stored.")
NAME_OF_DATASET = Sentence(
    "Dataset {name!r} already exists and was not recorded here.", "Choose another name."
)
NO_CLASS_NAME = Sentence(
    "Invalid class name {name!r}.",
    "Use 1 to {most} characters without slashes, and no dot at the start.",
)
CLASS_THERE = Sentence("Class {name!r} already exists.", "Choose another name.")
TOO_MANY_CLASSES = Sentence("A recording can have at most {most} classes.", "Remove one first.")
TOO_MANY_PICTURES = Sentence(
    "A recording can have at most {most:,} images.", "Delete some, or start another recording."
)
FILE_IS_NO_PICTURE = Sentence("This file cannot be used: {why}.", "Choose a JPEG or PNG image.")
NO_PICTURES_YET = Sentence("There are no images yet.", "Record some, or add files.")
NAMES_ARE_PARTS = Sentence(
    "With the names {names}, the classes would be read as parts of a dataset.",
    "Rename one of them.",
)
TOO_FEW_TO_TRAIN = Sentence(
    "Training needs two classes with at least {least} images each.",
    "Record more images, or add files.",
)
NO_LIVE_MODEL = Sentence(
    "Run {run} has no trained model.", "Train first, or wait until the training has finished."
)
RECORDED_DISK_FULL = Sentence(
    "The disk is full: the image was not stored.", "Free some space, then record it again."
)

name_sentences(globals())
