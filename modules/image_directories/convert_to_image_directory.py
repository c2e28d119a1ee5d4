"""Convert to Image Directory: a folder or archive becomes a checked, labelled list of images."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from modules.artifacts import AnyDirectory, ImageDirectory
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidDatasetError
from modules.files.archives import extract_archive
from modules.files.disk import disk_errors, scratch_folder
from modules.files.parts import (
    WHOLE,
    Part,
    PartFolder,
    choices,
    foreseen_part,
    part_not_chosen,
    wanted,
)
from modules.files.progress import Pace
from modules.files.scanning import scan
from modules.files.shards import ShardIndex, dataset_tree
from modules.forecast import ArtifactForecast, StepForecast
from modules.image_directories.image_checking import ImageChecker
from modules.image_directories.labels import ClassFrom, label_files, manifest_path
from modules.image_directories.manifest import Findings
from modules.parameters import FromData, Parameters
from modules.sentences import image_directories as say
from modules.spec import ParameterFinding, PortDoc

WORK = "images checked"


class ConvertParameters(Parameters):
    class_from: ClassFrom = Field(
        "folder name",
        title="Class from",
        description="Where an image's class comes from: the folder it lies in; the label column of "
        "a CSV (path,label) or the categories of a COCO JSON beside the images; or nowhere. "
        "Without folders of classes, a table that is there is used by itself.",
    )
    part: Annotated[Part, FromData()] = Field(
        WHOLE,
        title="Part",
        description="Of a dataset with folders train and val (or valid, validation) or test, each "
        "with its own folders of classes, the one to take. whole takes what Import Images gives.",
    )
    on_unreadable_image: Literal["skip and list", "fail"] = Field(
        "skip and list",
        title="On unreadable image",
        description="Leave out images that cannot be decoded to their end and list them on the "
        "node, or stop at the first one. Files that are no images never stop the step.",
    )


class ConvertOutputs(NamedTuple):
    output_image_directory: Annotated[
        ImageDirectory, PortDoc("The images that are whole, their classes, and what was skipped.")
    ]


def _forecast(
    inputs: Mapping[str, ArtifactForecast], parameters: ConvertParameters, _context: Context
) -> StepForecast:
    """The same images as in the dataset, and its classes unless they are not wanted."""
    given = inputs.get("input_dataset", ArtifactForecast())
    findings: tuple[ParameterFinding, ...] = ()
    dataset = given
    try:
        dataset = foreseen_part(given, parameters.part)
        if dataset.parts and parameters.class_from == "folder name":
            raise part_not_chosen([PartFolder(**each) for each in dataset.parts])
    except InvalidDatasetError as error:
        dataset, findings = ArtifactForecast(), (ParameterFinding.from_error(error),)
    if parameters.class_from == "none":
        dataset = replace(dataset, num_classes=0, labeled=False)
    elif parameters.class_from == "CSV column":
        dataset = replace(dataset, num_classes=None, labeled=True)
    return StepForecast(
        {"output_image_directory": replace(dataset, parts=None)},
        images_processed=dataset.num_images,
        work=WORK,
        findings=findings,
        choices=choices(given),
    )


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
    """Make checked, labelled images of a dataset.

    One folder for each class; a chain of single folders above them is descended. Where all images
    lie in one folder, that is their class; in the dataset itself, or in a part of it, they are
    unlabelled. Names of classes that differ only in how Unicode writes them are one class, with a
    warning. A table names files as its own folder, the images' or the dataset sees them, or by a
    name that only one file has; folders above the dataset may come first, never other ones in it.
    Zip, tar, tar.gz, tar.bz2 and tar.xz archives are
    unpacked safely. Tar shards with an index (`designer dataset shard`) are read in place, by every
    later step too: nothing of them is copied. Every image is decoded to its end; the content
    decides what it is, not the name. Transparent pixels are laid on white, where torchvision's
    loader drops their transparency; CMYK becomes RGB by Pillow's plain formula, and 16-bit grey is
    scaled to 8 bits.
    Width and height are those after the EXIF orientation. What is left out is listed with
    its reason; images with the same bytes are counted, and warned about across classes.
    """
    input_dataset.check()
    folder, started = context.new_folder(), time.perf_counter()
    with disk_errors(folder), _unpacked(input_dataset.location, context) as root:
        tree = dataset_tree(root) if root == input_dataset.location else scan(root)
        part = wanted(parameters.part, input_dataset.part)
        labeling = label_files(tree, parameters.class_from, part)
        # Artifacts and registered datasets never change, nor does what was just unpacked.
        ours = (context.staging_dir, input_dataset.path, context.datasets_dir)
        is_ours = any(each and root.resolve().is_relative_to(each.resolve()) for each in ours)
        checker = ImageChecker(tree, folder / "images", labeling.base, may_link=is_ours)
        results = checker.check_all(labeling.files, context.threads or os.cpu_count() or 1)
        found = Findings.collect(
            results, labeling, context, fail=parameters.on_unreadable_image == "fail"
        )
        found.require_images(input_dataset.location.name)
        output = ImageDirectory.write(
            folder, found.image_table(), found.classes, skipped=found.skipped_table()
        )
        if tree.members is not None:
            paths = (each.path for each in labeling.files)
            names = {path: manifest_path(path, labeling.base) for path in paths}
            ShardIndex.read(root).renamed(names).write(folder)
    if tree.notice is not None:
        context.warn(tree.notice)
    found.tell(labeling, context)
    context.work(WORK, len(labeling.files), time.perf_counter() - started)
    return ConvertOutputs(output)


@contextmanager
def _unpacked(location: Path, context: Context) -> Iterator[Path]:
    """The dataset's folder; an archive is unpacked for as long as this lasts."""
    if location.is_dir():
        yield location
        return
    pace = Pace(context, "files unpacked")
    with scratch_folder(context.staging_dir) as scratch:
        root = scratch / "archive"
        extraction = extract_archive(location, root, report=lambda done: pace.tell(done, done))
        if extraction.renamed:
            context.warn(say.RENAMED, files=extraction.renamed)
        yield root
