"""Module Convert to Image Directory: convert a folder or archive to checked, labelled images."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from modules.artifacts import AnyDirectory, ImageDirectory
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidDatasetError
from modules.files.archives import extract_archive
from modules.files.disk import disk_errors, scratch_folder
from modules.files.progress import ProgressReporter
from modules.files.scanning import Tree, scan
from modules.files.shards import ShardIndex, dataset_tree
from modules.forecast import ArtifactForecast, StepForecast
from modules.image_directories.class_names import warn_of_near_names
from modules.image_directories.image_checking import ImageChecker
from modules.image_directories.labels import label_files, manifest_path
from modules.image_directories.manifest import Findings
from modules.image_loading.decoding import DEFAULT_MAX_PIXELS
from modules.image_loading.largest_images import LargeImage, images_of
from modules.image_loading.used_bits import warn_of_unused_bits
from modules.layouts.inner_archives import unpack_inner_archives
from modules.layouts.label_tables import Columns
from modules.layouts.part_names import WHOLE, Part
from modules.layouts.parts import PartFolder, choices, foreseen_part, part_not_chosen, wanted
from modules.layouts.questions import FIRST_NUMBER
from modules.layouts.readings import AUTOMATIC, ClassFrom
from modules.parameters import AddedLater, FromData, Group, Parameters
from modules.sentences import files
from modules.sentences import image_directories as say
from modules.sentences.sentence import RecordedStatement
from modules.spec import ParameterFinding, PortDoc

WORK = "images checked"
TABLE_COLUMNS = Group("Table of labels", folded=True)


class ConvertParameters(Parameters):
    class_from: Annotated[ClassFrom, FromData()] = Field(
        AUTOMATIC,
        description="Source of the labels. folder name (default): the folders of the images, or a "
        "table next to the images if the folders are not classes. If both are possible, the step "
        "asks. CSV column: a table (CSV, JSON, COCO). file name: cat_001.jpg is a cat. folders "
        "only: always the folders. none: no labels.",
    )
    part: Annotated[Part, FromData()] = Field(
        WHOLE,
        description="Part of a dataset with folders such as train, valid and test, or with tables "
        "of such names next to one folder of images. whole uses everything that Import Images "
        "outputs.",
    )
    on_unreadable_image: Literal["skip and list", "fail"] = Field(
        "skip and list",
        description="Skip images that cannot be decoded completely and list them on the node, or "
        "stop at the first one. Files that are not images never stop the step.",
    )
    file_column: Annotated[str, TABLE_COLUMNS, AddedLater()] = Field(
        "",
        max_length=200,
        description="Column of a table that contains the names of the image files. If empty, it "
        "is recognized.",
    )
    label_column: Annotated[str, TABLE_COLUMNS, AddedLater()] = Field(
        "",
        max_length=200,
        description="Column of a table that contains the labels. If empty, it is recognized. "
        "One-hot columns of zeros and ones, one for each class, are recognized only if both "
        "fields are empty.",
    )
    first_class_number: Annotated[Literal["automatic", "0", "1"], TABLE_COLUMNS, AddedLater()] = (
        Field(
            "automatic",
            description="The number of the first name in a list of class names without numbers. "
            "automatic: 0 if a label is 0, and 1 if a label is the number of names; if labels fit "
            "both, the step asks.",
        )
    )

    @property
    def columns(self) -> Columns:
        """The choices about tables of labels."""
        first = self.first_class_number
        number = None if first == "automatic" else int(first)
        return Columns(self.file_column, self.label_column, number)


class ConvertOutputs(NamedTuple):
    output_image_directory: Annotated[
        ImageDirectory, PortDoc("Valid images, their classes, and skipped files.")
    ]


def _forecast(
    inputs: Mapping[str, ArtifactForecast], parameters: ConvertParameters, _context: Context
) -> StepForecast:
    """Return the same images as in the dataset, and its classes unless labels are off."""
    dataset_forecast = inputs.get("input_dataset", ArtifactForecast())
    findings: tuple[ParameterFinding, ...] = ()
    dataset = dataset_forecast
    try:
        dataset = foreseen_part(dataset_forecast, parameters.part)
        if dataset.parts and parameters.class_from in (AUTOMATIC, "folders only"):
            raise part_not_chosen([PartFolder(**part) for part in dataset.parts])
    except InvalidDatasetError as error:
        dataset, findings = ArtifactForecast(), (ParameterFinding.from_error(error),)
    reading = dataset.readings[0] if dataset.readings and not dataset.parts else None
    if parameters.class_from == "none":
        dataset = replace(dataset, num_classes=0, labeled=False)
    elif reading is not None and parameters.columns == Columns():
        dataset, findings = _as_read(dataset, reading, parameters.class_from)
    elif parameters.class_from in ("CSV column", "file name"):
        dataset = replace(dataset, num_classes=None, labeled=True)
    images = images_of(dataset)
    readable = tuple(image._asdict() for image in images if not image.exceeds_limit)
    dataset = replace(dataset, parts=None, readings=None, largest_images=readable or None)
    return StepForecast(
        {"output_image_directory": dataset},
        images_processed=dataset.num_images,
        work=WORK,
        findings=(*findings, *_of_too_large(images)),
        choices={**choices(dataset_forecast), **_class_choices(reading)},
    )


def _of_too_large(images: Sequence[LargeImage]) -> Iterator[ParameterFinding]:
    if names := [image.path for image in images if image.exceeds_limit]:
        limit = DEFAULT_MAX_PIXELS / 1e6
        yield ParameterFinding.of(
            "on_unreadable_image", say.IMAGES_EXCEED_LIMIT, images=names, megapixels=limit
        )


def _as_read(
    dataset: ArtifactForecast, reading: Mapping[str, Any], class_from: ClassFrom
) -> tuple[ArtifactForecast, tuple[ParameterFinding, ...]]:
    """Return the images and classes of one way to label them; a finding if a user must decide."""
    choice = reading if class_from == AUTOMATIC else reading["choices"].get(class_from)
    question = reading["question"]
    at = question and (question["parameter"] or "class_from")
    is_about_tables = class_from == "CSV column" and at == FIRST_NUMBER
    if question and (class_from == AUTOMATIC or is_about_tables):
        error = InvalidDatasetError(RecordedStatement.of(question), parameter=at)
        return ArtifactForecast(), (ParameterFinding.from_error(error),)
    if choice is None:
        return replace(dataset, num_images=None, num_classes=None, labeled=None), ()
    num_images, num_classes = choice["images"], choice["classes"]
    return (
        replace(dataset, num_images=num_images, num_classes=num_classes, labeled=num_classes > 0),
        (),
    )


def _class_choices(reading: Mapping[str, Any] | None) -> dict[str, dict[str, str]]:
    """Return the values of *Class from* that apply to these images."""
    if reading is None:
        return {}
    choices = {name: choice["said"] for name, choice in reading["choices"].items()}
    return {"class_from": {AUTOMATIC: reading["said"], **choices, "none": "no classes"}}


@module(
    title="Convert to Image Directory",
    category="Computer Vision/Image Data Transformation",
    summary="Check, label and list the images of a folder or archive.",
    icon="folder-check",
    results_version=2,
    keywords=(
        "unzip",
        "train",
        "validation",
        "archive",
        "labels",
        "classes",
        "coco",
        "csv",
        "exif",
        "duplicates",
    ),
    libraries=("pandas", "pillow"),
    forecast=_forecast,
)
def convert_to_image_directory(
    input_dataset: Annotated[
        AnyDirectory, PortDoc("A folder with one folder for each class, or an archive of it.")
    ],
    parameters: ConvertParameters,
    context: Context,
) -> ConvertOutputs:
    """Create checked, labelled images from a dataset.

    Each folder is a class; chains of single folders above the classes are skipped. If all images
    are in one folder, that folder is their class; images directly in the dataset or in one of its
    parts are unlabelled. Folders with names of parts (train, test1) are never classes. Class names
    that differ only in their Unicode form become one class, with a warning. Tables may be CSV, TSV,
    JSON, JSON Lines or COCO files; the columns of files and labels are recognized by their
    contents, including one-hot columns. Of several tables, the one that labels most images is used,
    together with those that have the same columns and label other images. Tables named train and
    val define parts. File names in a table are relative to the folder of the table, of the images
    or of the dataset. A unique file name is enough, also without extension.

    Zip, tar, tar.gz, tar.bz2 and tar.xz archives are unpacked safely, and if there are no images
    also the archives in them (train.zip and test.zip). Tar shards with an index
    (`designer dataset shard`) are read in place without copies, by all later steps too.
    Symbolic links are followed to files and folders that may be read.

    Every image is decoded completely; the format is detected from the content, not the name. HEIC
    images need the extra heif, AVIF images a version of Pillow with AVIF support; JPEG XL and
    camera raw are not supported. Images and folders skipped for such a reason are reported as
    warnings. Transparent pixels are composited on white, unlike torchvision's loader, which drops
    the transparency. CMYK is converted to RGB by Pillow's formula, and 16-bit grey is scaled to 8
    bits. Width and height are measured after the EXIF orientation. Skipped files are listed with a
    reason. Images with the same bytes are counted, with a warning if they are in different classes.
    """
    input_dataset.check()
    folder, started = context.new_folder(), time.perf_counter()
    with disk_errors(folder), _unpacked(input_dataset.location, context) as root:
        tree = _tree(root, input_dataset, context)
        part = wanted(parameters.part, input_dataset.part)
        labeling = label_files(tree, parameters.class_from, part, parameters.columns)
        # Artifacts and registered datasets never change, nor do freshly unpacked files.
        ours = (context.staging_dir, input_dataset.path, context.datasets_dir)
        is_ours = any(folder and root.resolve().is_relative_to(folder.resolve()) for folder in ours)
        checker = ImageChecker(tree, folder / "images", labeling.base, may_link=is_ours)
        results = checker.check_all(labeling.files, context.threads or os.cpu_count() or 1)
        findings = Findings.collect(
            results,
            labeling,
            context,
            fail=parameters.on_unreadable_image == "fail",
            folder_links=tree.folder_links,
        )
        findings.require_images(input_dataset.location.name)
        output = ImageDirectory.write(
            folder, findings.image_table(), findings.classes, skipped=findings.skipped_table()
        )
        if tree.members is not None:
            paths = (file.path for file in labeling.files)
            names = {path: manifest_path(path, labeling.base) for path in paths}
            ShardIndex.read(root).renamed(names).write(folder)
    if tree.notice is not None:
        context.warn(tree.notice)
    findings.tell(labeling, context)
    warn_of_near_names(output.classes, context)
    warn_of_unused_bits(output, context)
    context.work(WORK, len(labeling.files), time.perf_counter() - started)
    return ConvertOutputs(output)


def _tree(root: Path, dataset: AnyDirectory, context: Context) -> Tree:
    """Return the dataset's files; links are followed in folders of the user, not in an archive."""
    if root != dataset.location:
        return scan(root)
    return dataset_tree(root, allowed_roots=context.allowed_roots)


@contextmanager
def _unpacked(location: Path, context: Context) -> Iterator[Path]:
    """Yield the dataset's folder; an archive is unpacked for the duration of the block."""
    if location.is_dir():
        yield location
        return
    pace = ProgressReporter(context, "files unpacked")
    with scratch_folder(context.staging_dir) as scratch:
        root = scratch / "archive"
        extraction = extract_archive(location, root, report=lambda done: pace.tell(done, done))
        if extraction.renamed:
            context.warn(say.RENAMED, files=extraction.renamed)
        if extraction.encoding is not None:
            context.warn(files.NAMES_DECODED, encoding=extraction.encoding)
        unpack_inner_archives(root, location.stat().st_size)
        yield root
