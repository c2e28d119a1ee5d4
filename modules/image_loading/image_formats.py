"""Formats of image files by their first bytes: supported ones, and those that are only recognized.

HEIC needs the extra ``heif``, AVIF a version of Pillow built with it. JPEG XL, JPEG 2000 and camera
raw are recognized but not supported. The content decides; an extension counts only if the content
is not recognized, and for raw files, most of which are TIFF files by their content.
"""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from posixpath import splitext
from typing import TYPE_CHECKING

from modules.sentences import image_loading as say
from modules.sentences.sentence import Sentence, Statement

if TYPE_CHECKING:
    from PIL import Image

FORMATS = ("JPEG", "PNG", "PPM", "BMP", "TIFF", "WEBP", "GIF")
"""Formats that are always supported."""
EXTENSIONS = frozenset(
    (".jpg", ".jpeg", ".png", ".ppm", ".pgm", ".bmp", ".tif", ".tiff", ".webp", ".gif")
)
"""Extensions of their files; only for guesses before a file is read."""
SIGNATURE_BYTES = 64
"""Number of bytes at the start of a file by which its format is recognized."""

_SIGNATURE = re.compile(
    rb"\xff\xd8\xff|\x89PNG\r\n\x1a\n|P[1-7fF0][\s\d]|BM|II\*\x00|MM\x00\*|II\+\x00|MM\x00\+"
    rb"|RIFF....WEBP|GIF8[79]a",
    re.DOTALL,
)
_TIFF = (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")
_AVIF_BRANDS = frozenset((b"avif", b"avis"))
_HEIF_BRANDS = frozenset(b"heic heix heim heis hevc hevx hevm hevs heif mif1 mif2 msf1".split())
_DNG_VERSION_TAG, _SUBFILE_TYPE_TAG, _SUB_IMAGES_TAG = 50706, 254, 330


@dataclass(frozen=True)
class OtherFormat:
    """A format that is not supported everywhere."""

    name: str
    fix: Sentence
    """Fix for users if it is not supported."""

    @property
    def is_read(self) -> bool:
        """Return True if this installation decodes it."""
        return self.name in decoders()

    @property
    def reason(self) -> Statement:
        """Return why an image in this format is skipped."""
        return say.FORMAT_NOT_READ.about({"format": self.name})


HEIC = OtherFormat("HEIC", say.INSTALL_HEIF)
AVIF = OtherFormat("AVIF", say.INSTALL_AVIF)
JPEG_XL = OtherFormat("JPEG XL", say.CONVERT_FORMAT)
JPEG_2000 = OtherFormat("JPEG 2000", say.CONVERT_FORMAT)
CAMERA_RAW = OtherFormat("camera raw", say.DEVELOP_RAW)

_SIGNATURES = (
    (b"\x00\x00\x00\x0cJXL \r\n\x87\n", JPEG_XL),
    (b"\xff\x0a", JPEG_XL),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", JPEG_2000),
    (b"\xff\x4f\xff\x51", JPEG_2000),
    (b"FUJIFILMCCD-RAW", CAMERA_RAW),
    (b"IIRO", CAMERA_RAW),
    (b"IIRS", CAMERA_RAW),
    (b"MMOR", CAMERA_RAW),
    (b"IIU\x00", CAMERA_RAW),
    (b"FOVb", CAMERA_RAW),
    (b"\x00MRM", CAMERA_RAW),
    (b"II\x1a\x00\x00\x00HEAPCCDR", CAMERA_RAW),
)
_OTHER_EXTENSIONS = {
    **dict.fromkeys((".heic", ".heif", ".hif", ".heics", ".heifs"), HEIC),
    **dict.fromkeys((".avif", ".avifs"), AVIF),
    ".jxl": JPEG_XL,
    **dict.fromkeys((".jp2", ".j2k", ".jpf", ".jpx", ".jpc"), JPEG_2000),
    **dict.fromkeys(
        (
            *(".3fr", ".arw", ".cr2", ".cr3", ".crw", ".dcr", ".dng", ".erf", ".fff", ".iiq"),
            *(".kdc", ".mef", ".mos", ".mrw", ".nef", ".nrw", ".orf", ".pef", ".raf", ".rw2"),
            *(".rwl", ".sr2", ".srf", ".srw", ".x3f"),
        ),
        CAMERA_RAW,
    ),
}


def other_format(start: bytes, name: str) -> OtherFormat | None:
    """Return the format of a file by its first bytes; None for ``FORMATS`` and for other files.

    ``start`` has at least ``SIGNATURE_BYTES`` bytes, fewer only if the file has no more.
    """
    by_name = other_format_of_name(name)
    if start[8:10] == b"CR" and start.startswith(_TIFF):
        return CAMERA_RAW
    if _SIGNATURE.match(start):
        return CAMERA_RAW if by_name is CAMERA_RAW and start.startswith(_TIFF) else None
    if start[4:8] == b"ftyp":
        return _format_of_brands(start)
    recognized = next((known for mark, known in _SIGNATURES if start.startswith(mark)), None)
    if recognized is not None or by_name is None or by_name.is_read:
        return recognized
    return by_name


def other_format_of_name(name: str) -> OtherFormat | None:
    """Return the format of a file extension."""
    return _OTHER_EXTENSIONS.get(splitext(name)[1].lower())


def _format_of_brands(start: bytes) -> OtherFormat | None:
    """Return the format of an ISO media file by its brands.

    The major brand decides, except that ``mif1`` defers to the compatible ones.
    """
    num_bytes = int.from_bytes(start[:4], "big")
    major = start[8:12]
    brands = {start[place : place + 4] for place in range(16, min(num_bytes, len(start)), 4)}
    if major == b"crx ":
        return CAMERA_RAW
    if major in _AVIF_BRANDS or (major in _HEIF_BRANDS and brands & _AVIF_BRANDS):
        return AVIF
    return HEIC if major in _HEIF_BRANDS or (major[:3] != b"mp4" and b"heic" in brands) else None


def has_image_signature(start: bytes) -> bool:
    """Return True if a file with these first bytes may be a supported image."""
    if _SIGNATURE.match(start):
        return True
    recognized = other_format(start, "")
    return recognized is not None and recognized.is_read


def is_known_image(start: bytes) -> bool:
    """Return True for images in any format, including those that are only recognized."""
    return _SIGNATURE.match(start) is not None or other_format(start, "") is not None


def has_image_extension(name: str) -> bool:
    """Return True if a file's extension is that of a supported image."""
    if splitext(name)[1].lower() in EXTENSIONS:
        return True
    known = other_format_of_name(name)
    return known is not None and known.is_read


def is_raw_preview(image: Image.Image) -> bool:
    """Return True for the preview in a camera's raw file, which Pillow opens like a TIFF file."""
    tags = getattr(image, "tag_v2", {})
    if _DNG_VERSION_TAG in tags:
        return True
    return bool(tags.get(_SUBFILE_TYPE_TAG) == 1 and _SUB_IMAGES_TAG in tags)


def pillow_formats() -> list[str]:
    """Return Pillow's names of the supported formats."""
    return [*FORMATS, *decoders().values()]


@cache
def decoders() -> dict[str, str]:
    """Return the other formats that this installation decodes, with Pillow's names."""
    from PIL import features

    pillow_names = {AVIF.name: "AVIF"} if features.check("avif") else {}
    if importlib.util.find_spec("pillow_heif") is not None and _register_heif():
        pillow_names[HEIC.name] = "HEIF"
    return pillow_names


def _register_heif() -> bool:
    """Add the HEIC decoder to this process; return False if its library cannot be loaded."""
    try:
        from pillow_heif import register_heif_opener
    except (ImportError, OSError):
        return False
    register_heif_opener(thumbnails=False)
    return True
