"""Messages about images that cannot be loaded."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

_SIZES_DIFFER = "The images have {count:,} different sizes after their transformation: {sizes}."
_SWITCH_ON = (
    "Turn on Resize and Center crop in their Init Image Transformation, both with {edge} pixels."
)
SIZES_DIFFER = Sentence(
    _SIZES_DIFFER,
    "Add Init Image Transformation with Resize and Center crop, and Apply Image Transformation.",
)
SIZES_DIFFER_UNCROPPED = Sentence(_SIZES_DIFFER, _SWITCH_ON)
SIZES_DIFFER_RANDOMLY_CROPPED = Sentence(
    _SIZES_DIFFER,
    f"Random crops are for training only. {_SWITCH_ON} Training then crops that square. To crop "
    "whole images, use a second Init Image Transformation for the other images.",
)
UNREADABLE_MEANWHILE = Sentence(
    "{image} can no longer be read: {why}.",
    "Turn on Ignore cache for Convert to Image Directory and run it again.",
)
NOT_AS_RECORDED = Sentence("its size is not the recorded {width} x {height}")
TOO_MANY_PIXELS = Sentence(
    "The image has {width:,} x {height:,} pixels. The limit is {megapixels:,.0f} megapixels.",
    "Reduce its size, or leave it out.",
)
UNUSED_BITS = Sentence(
    "16-bit images use only {bits} of 16 bits. The brightest pixel of {count:,} checked "
    "{count:image|images} is {brightest:,} of 65,535.",
    "They look dark and lose grey levels. Scale their pixels to 0-65,535 before the import.",
)
STRIP_TOO_LONG = Sentence(
    "The image {image} ({width:,} x {height:,} pixels) is too narrow: Resize would make it too "
    "large.",
    "Turn on Center crop in Init Image Transformation, or remove the image from the dataset.",
)
FAR_TOO_MANY_PIXELS = Sentence(
    "The image has more pixels than the limit of {megapixels:,.0f} megapixels.",
    "Reduce its size, or leave it out.",
)

FORMAT_NOT_READ = Sentence("an image in the unsupported format {format}")
INSTALL_HEIF = Sentence("Install the extra heif: pip install pillow-heif.")
INSTALL_AVIF = Sentence(
    "Install a version of Pillow with AVIF support: pip install --upgrade pillow."
)
CONVERT_FORMAT = Sentence("Convert such images to JPEG or PNG.")
DEVELOP_RAW = Sentence("Develop such images to JPEG, PNG or TIFF.")
NO_IMAGE = Sentence("not an image")
NO_KNOWN_FORMAT = Sentence("not an image in a supported format")
NEEDS_TOO_MUCH_MEMORY = Sentence("not enough memory to decode it")
IMAGE_GONE = Sentence("the file no longer exists")
NO_PIXELS = Sentence("it has no pixels")
CUT_OFF = Sentence("the file is truncated")
PIXELS_NOT_FINITE = Sentence("{count:,} {count:pixel is|pixels are} NaN or infinite")
DAMAGED_IMAGE = Sentence("damaged ({error})")
EMPTY_FILE = Sentence("the file is empty")
LARGER_THAN_1_GIB = Sentence("the file is larger than 1 GiB")
CANNOT_BE_READ = Sentence("cannot be read ({error})")
SAME_NAME = Sentence("another file has the same name except for case or encoding")

name_sentences(globals())
