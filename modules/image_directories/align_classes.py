"""Module Align Classes: reduce two image directories to their common classes, in one order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from modules.artifacts import ImageDirectory
from modules.augmentation import Augmentation
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidDatasetError, NotLabeledDatasetError
from modules.sentences import image_directories as say
from modules.spec import PortDoc

CATEGORY = "Computer Vision/Image Data Transformation"


class AlignOutputs(NamedTuple):
    output_image_directory1: Annotated[ImageDirectory, PortDoc("The first images, aligned.")]
    output_image_directory2: Annotated[ImageDirectory, PortDoc("The second images, aligned.")]


@module(
    title="Align Classes",
    category=CATEGORY,
    summary="Keep the classes that two sets of images have in common.",
    icon="combine",
    keywords=("classes", "labels", "match", "common", "validation", "mismatch"),
    libraries=("pandas",),
    augmentation=Augmentation(
        kept={
            "output_image_directory1": "input_image_directory1",
            "output_image_directory2": "input_image_directory2",
        }
    ),
)
def align_classes(
    input_image_directory1: Annotated[ImageDirectory, PortDoc("For example, images for training.")],
    input_image_directory2: Annotated[
        ImageDirectory, PortDoc("For example, images for validation.")
    ],
    context: Context,
) -> AlignOutputs:
    """Remove the images of classes that only one input has; no pixels are copied.

    Both outputs list the same classes in the order of the first input. Transformations are kept.
    """
    both = (input_image_directory1, input_image_directory2)
    for place, images in enumerate(both, start=1):
        images.check()
        if not images.is_labeled:
            raise NotLabeledDatasetError(
                say.SOME_WITHOUT_LABEL, port=f"input_image_directory{place}"
            )
    common = [name for name in both[0].classes if name in set(both[1].classes)]
    if not common:
        raise InvalidDatasetError(
            say.NO_COMMON_CLASS,
            first=both[0].classes,
            second=both[1].classes,
            port="input_image_directory2",
        )
    first, second = (_only(directory, common, context) for directory in both)
    left_out = sorted(set(both[0].classes) ^ set(both[1].classes))
    num_images = sum(len(directory.images) for directory in both)
    num_kept = len(first.images) + len(second.images)
    if left_out:
        context.warn(say.CLASSES_LEFT_OUT, images=num_images - num_kept, classes=left_out)
    context.summary(say.ALIGNED, common=len(common), kept=num_kept, images=num_images)
    return AlignOutputs(first, second)


def _only(directory: ImageDirectory, classes: Sequence[str], context: Context) -> ImageDirectory:
    """Return the images of these classes."""
    rows = directory.images
    kept = rows[rows["label"].isin(list(classes))].reset_index(drop=True)
    sources = kept["source"].where(kept["source"] != "", directory.reference)
    return ImageDirectory.write(
        context.new_folder(), kept.assign(source=sources), classes, directory.transformation
    )
