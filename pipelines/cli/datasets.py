"""``designer dataset``: folders and archives kept in the workspace under a name and versions."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modules.formatting import plural
from modules.sentences import datasets
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import confirm, console, print_table
from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import refusals

if TYPE_CHECKING:
    from modules.datasets.folder_summary import FolderSummary
    from modules.files.shards import ShardIndex

app = typer.Typer(help="Keep datasets in the workspace.", no_args_is_help=True)


@app.command("import")
@command
def import_dataset(
    context: CommandContext,
    source: Annotated[
        str,
        typer.Argument(help="A folder, a zip or tar archive, or the address of shards (s3://...)."),
    ],
    name: Annotated[
        str | None,
        typer.Option(help="Its name; by default the file's, with a number if it is taken."),
    ] = None,
) -> Answer:
    """Copy a folder or archive into the workspace as a new dataset.

    With --name it becomes the next version of the dataset that has this name. Of
    shards in an object store the index is copied; they are read where they are.
    """
    from modules.datasets.dataset_names import free_name, name_of_file, normal_name
    from modules.datasets.registered import register_address, register_dataset, source_notice
    from modules.files.object_folder import ObjectFolder, is_address

    notice = None
    if is_address(source):
        folder, workspace = ObjectFolder.parse(source), context.workspace.make()
        chosen = name or folder.root.rpartition("/")[2]
        version = register_address(folder, chosen, workspace.datasets_dir, workspace.cache_dir)
    else:
        place = Path(source.removeprefix("file://"))
        if not place.exists():
            raise NotFoundError(refusals.NO_SOURCE, source=source)
        own = name_of_file(place.resolve().name)
        datasets_dir = context.workspace.make().datasets_dir
        chosen = normal_name(name) if name else free_name(own, datasets_dir)
        version = register_dataset(place, chosen, datasets_dir, allowed_roots=None)
        notice = source_notice(place)
        if not name and chosen != own:
            told = datasets.NAME_TAKEN.about({"name": own, "new": chosen})
            console(error=True).print(str(told), style="yellow", markup=False)
    if notice is not None:
        console(error=True).print(str(notice), style="yellow", markup=False)
    use = f"dataset:{chosen}@{version}"
    return Answer(
        {"name": chosen, "version": version, "source": use},
        f"Imported. Use it in Import Images as {use}.",
    )


@app.command()
@command
def shard(
    context: CommandContext,
    source: Annotated[Path, typer.Argument(help="A folder of images.")],
    folder: Annotated[
        str, typer.Argument(help="Where the shards go: a new or empty folder, or an address.")
    ],
    size_mb: Annotated[int, typer.Option(min=1, help="About how large each becomes.")] = 256,
) -> Answer:
    """Put a folder of many files into tar shards with an index, which are read in place.

    Given again it goes on where it was cut short, and takes up what has changed. To an address in
    an object store (s3://...) they are put one after the other.
    """
    from modules.files.object_folder import ObjectFolder, is_address
    from modules.files.remote_shard_writing import write_shards_there
    from modules.files.shard_writing import write_shards

    if not source.is_dir():
        raise NotFoundError(refusals.NO_SOURCE, source=source)
    shard_bytes = size_mb * 2**20
    if is_address(folder):
        there, scratch = ObjectFolder.parse(folder), context.workspace.make().cache_dir
        return _sharded(write_shards_there(source, there, scratch, shard_bytes, _tell))
    place = Path(folder.removeprefix("file://"))
    return _sharded(write_shards(source, place, shard_bytes, _tell))


@app.command("index")
@command
def index_tars(
    context: CommandContext,
    folder: Annotated[
        str, typer.Argument(help="A folder, or an address (s3://...), with plain tar files in it.")
    ],
) -> Answer:
    """Write the index of tar files that are there, so that they are read in place as shards."""
    from modules.files.object_folder import ObjectFolder, is_address
    from modules.files.remote_shards import index_there
    from modules.files.shard_writing import index_shards

    if is_address(folder):
        scratch = context.workspace.make().cache_dir
        return _sharded(index_there(ObjectFolder.parse(folder), scratch, _tell))
    place = Path(folder.removeprefix("file://"))
    if not place.is_dir():
        raise NotFoundError(refusals.NO_SOURCE, source=folder)
    return _sharded(index_shards(place, _tell))


def _tell(done: int, total: int) -> None:
    terminal = console(error=True)
    if terminal.is_terminal:
        terminal.print(f"{done:,} of {total:,} shards", end="\n" if done == total else "\r")


def _sharded(index: ShardIndex) -> Answer:
    folder = index.folder
    place = f"file:{folder.resolve()}" if isinstance(folder, Path) else str(folder)
    facts = {"files": len(index.rows), "shards": len(index.shards), "bytes": index.num_bytes}
    files, shards = plural(len(index.rows), "file"), plural(len(index.shards), "shard")
    return Answer(
        {**facts, "source": place},
        f"{files} in {shards}, each read back. Use them in Import Images as {place}, or keep "
        f"{_kept(folder)} in the workspace: designer dataset import {folder}",
    )


def _kept(folder: object) -> str:
    return "a copy" if isinstance(folder, Path) else "their index"


@app.command()
@command
def check(
    context: CommandContext,
    source: Annotated[
        str, typer.Argument(help="A folder, an archive, or dataset:NAME of a registered one.")
    ],
) -> Answer:
    """Show how a dataset is read: its parts, where labels come from, and the alternatives.

    Exit code 1 if a part of it can be labelled in several ways, so that a user must decide.
    """
    from modules.context import Context
    from modules.datasets.folder_summary import folder_summary
    from modules.datasets.sources import DatasetSource, parse_source, readable

    workspace = context.workspace
    there = Context(workspace.artifacts_dir, datasets_dir=workspace.datasets_dir)
    if source.startswith("dataset:"):
        registered = parse_source(source)
        assert isinstance(registered, DatasetSource)
        location = registered.location(there)
    else:
        location = readable(source.removeprefix("file:"), there)
    found = folder_summary(location, allowed_roots=there.allowed_roots)
    verdict = found.verdict
    facts = {
        "images": found.images,
        "classes": {each.name: each.images for each in found.classes},
        "num_classes": found.num_classes,
        "notice": found.not_read and str(found.not_read),
        "parts": [each.to_json() for each in verdict.of_parts] if verdict else [],
    }
    return Answer(facts, partial(_print_check, found), int(bool(verdict and verdict.must_ask)))


def _print_check(found: FolderSummary) -> None:
    """The verdict, then a row for each way to label the images of each part."""
    if found.verdict is None:
        console().print("The archive has to be unpacked before its images can be listed.")
        return
    for sentence in filter(None, [found.not_read, *found.verdict.sentences]):
        console().print(str(sentence), markup=False)
    rows = [
        (each.part, choice.class_from, choice.num_images, choice.num_classes, choice.said)
        for each in found.verdict.of_parts
        for choice in each.choices
    ]
    if rows:
        print_table(("Part", "Class from", "Images", "Classes", "Reading"), rows, "")


@app.command("list")
@command
def list_datasets(context: CommandContext) -> Answer:
    """The datasets of the workspace and their versions."""
    from modules.datasets.registered import list_datasets as found_in

    found = found_in(context.workspace.datasets_dir)
    cells = (
        (each.name, ", ".join(map(str, each.versions)), f"dataset:{each.name}") for each in found
    )
    empty = "No datasets yet: `designer dataset import FOLDER_OR_ARCHIVE` makes one."
    return Answer(
        {"datasets": [{"name": each.name, "versions": list(each.versions)} for each in found]},
        partial(print_table, ("Dataset", "Versions", "Source"), cells, empty),
    )


@app.command()
@command
def relocate(
    context: CommandContext,
    dataset: Annotated[str, typer.Argument(help="NAME@VERSION, of shards in an object store.")],
    address: Annotated[str, typer.Argument(help="Where they were copied to (s3://...).")],
) -> Answer:
    """Read a dataset's shards from another address, to which all of them were copied.

    Only the index there is read: it has to name the same images. Pipelines stay as they are.
    """
    name, _, version = dataset.removeprefix("dataset:").partition("@")
    if not version.isdecimal():
        raise RefusedError(refusals.NO_VERSION_NUMBER, text=version)
    place = context.session.datasets.relocate(name, int(version), address)
    return Answer(
        {"source": f"dataset:{name}@{version}", "address": place},
        f"dataset:{name}@{version} is read from {place} now.",
    )


@app.command()
@command
def delete(
    context: CommandContext,
    dataset: Annotated[str, typer.Argument(help="NAME, or NAME@VERSION for one version.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> Answer:
    """Delete a dataset or a version, unless a pipeline or a run refers to it."""

    name, at, version = dataset.removeprefix("dataset:").partition("@")
    if at and not version.isdecimal():
        raise RefusedError(refusals.NO_VERSION_NUMBER, text=version)
    confirm(f"Delete {dataset}?", yes=yes, as_json=context.as_json)
    gone = context.session.datasets.delete(name, int(version) if at else None)
    return Answer(
        {"name": name, "deleted_versions": gone},
        f"Deleted {name}, versions {', '.join(map(str, gone))}.",
    )
