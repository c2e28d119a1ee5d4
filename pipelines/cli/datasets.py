"""``designer dataset``: named and versioned datasets in the workspace."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Annotated

import typer

from modules.sentences import datasets
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import confirm, console, print_table
from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import _, refusals

if TYPE_CHECKING:
    from collections.abc import Collection

    from modules.datasets.folder_summary import FolderSummary
    from modules.files.shards import ShardIndex

app = typer.Typer(help="Manage datasets in the workspace.", no_args_is_help=True)

NameOption = Annotated[
    str | None,
    typer.Option(
        help="Name of the dataset. Default: the file's name, with a number if it is in use."
    ),
]


@app.command("import")
@command
def import_dataset(
    context: CommandContext,
    source: Annotated[
        str,
        typer.Argument(help="A folder, a zip or tar archive, or the address of shards (s3://...)."),
    ],
    name: NameOption = None,
) -> Answer:
    """Copy a folder or archive into the workspace as a new dataset.

    If a dataset with the given --name exists, a new version is added. For shards in an object
    store, only the index is copied; the shards are read in place.
    """
    chosen, version = imported(context, source, name)
    use = f"dataset:{chosen}@{version}"
    return Answer(
        {"name": chosen, "version": version, "source": use},
        _("Imported. Use it in Import Images as {use}.", use=use),
    )


def imported(context: CommandContext, source: str, name: str | None) -> tuple[str, int]:
    """Copy a folder or archive into the workspace; return the dataset's name and new version."""
    from modules.datasets.dataset_names import free_name, name_of_file, normal_name
    from modules.datasets.registered import register_address, register_dataset, source_notice
    from modules.files.object_folder import ObjectFolder, is_address

    notice = None
    if is_address(source):
        folder, workspace = ObjectFolder.parse(source), context.workspace.make()
        chosen = name or folder.root.rpartition("/")[2]
        version = register_address(folder, chosen, workspace.datasets_dir, workspace.cache_dir)
    else:
        path = Path(source.removeprefix("file://"))
        if not path.exists():
            raise NotFoundError(refusals.NO_SOURCE, source=source)
        own = name_of_file(path.resolve().name)
        datasets_dir = context.workspace.make().datasets_dir
        chosen = normal_name(name) if name else free_name(own, datasets_dir)
        version = register_dataset(path, chosen, datasets_dir, allowed_roots=None)
        notice = source_notice(path)
        if not name and chosen != own:
            statement = datasets.NAME_TAKEN.about({"name": own, "new": chosen})
            console(error=True).print(str(statement), style="yellow", markup=False)
    if notice is not None:
        console(error=True).print(str(notice), style="yellow", markup=False)
    return chosen, version


@app.command()
@command
def shard(
    context: CommandContext,
    source: Annotated[Path, typer.Argument(help="A folder of images.")],
    folder: Annotated[
        str, typer.Argument(help="Destination of the shards: a new or empty folder, or an address.")
    ],
    size_mb: Annotated[
        int, typer.Option(min=1, help="Approximate size of each shard in MiB.")
    ] = 256,
) -> Answer:
    """Convert a folder of many files to tar shards with an index, which are read in place.

    Run the command again to continue after an interruption and to include changes. For an address
    in an object store (s3://...), shards are uploaded one by one.
    """
    from modules.files.object_folder import ObjectFolder, is_address
    from modules.files.remote_shard_writing import write_shards_there
    from modules.files.shard_writing import write_shards

    if not source.is_dir():
        raise NotFoundError(refusals.NO_SOURCE, source=source)
    shard_bytes = size_mb * 2**20
    if is_address(folder):
        destination, scratch = ObjectFolder.parse(folder), context.workspace.make().cache_dir
        return _sharded(
            write_shards_there(source, destination, scratch, shard_bytes, _print_progress)
        )
    path = Path(folder.removeprefix("file://"))
    return _sharded(write_shards(source, path, shard_bytes, _print_progress))


@app.command("index")
@command
def index_tars(
    context: CommandContext,
    folder: Annotated[
        str, typer.Argument(help="A folder or address (s3://...) that contains tar files.")
    ],
) -> Answer:
    """Write an index of existing tar files so that they can be read in place as shards."""
    from modules.files.object_folder import ObjectFolder, is_address
    from modules.files.remote_shards import index_there
    from modules.files.shard_writing import index_shards

    if is_address(folder):
        scratch = context.workspace.make().cache_dir
        return _sharded(index_there(ObjectFolder.parse(folder), scratch, _print_progress))
    path = Path(folder.removeprefix("file://"))
    if not path.is_dir():
        raise NotFoundError(refusals.NO_SOURCE, source=folder)
    return _sharded(index_shards(path, _print_progress))


def _print_progress(done: int, total: int) -> None:
    terminal = console(error=True)
    if terminal.is_terminal:
        terminal.print(
            _("{done:,} of {total:,} shards", done=done, total=total),
            end="\n" if done == total else "\r",
        )


def _sharded(index: ShardIndex) -> Answer:
    folder = index.folder
    address = f"file:{folder.resolve()}" if isinstance(folder, Path) else str(folder)
    facts = {"files": len(index.rows), "shards": len(index.shards), "bytes": index.num_bytes}
    text = _(
        "{files:,} {files:file|files} in {shards:,} {shards:shard|shards}, all verified. Use them "
        "in Import Images as {address}, or import {copied} into the workspace: designer dataset "
        "import {folder}",
        files=len(index.rows),
        shards=len(index.shards),
        address=address,
        copied=_("a copy") if isinstance(folder, Path) else _("their index"),
        folder=folder,
    )
    return Answer({**facts, "source": address}, text)


@app.command()
@command
def check(
    context: CommandContext,
    source: Annotated[
        str, typer.Argument(help="A folder, an archive, or dataset:NAME of a registered dataset.")
    ],
) -> Answer:
    """Show how a dataset is read: its parts, the source of labels, and alternatives.

    An archive is unpacked for it and removed again. Exits with code 1 if labels are ambiguous and
    a user must choose.
    """
    from modules.context import Context
    from modules.datasets.sources import DatasetSource, parse_source, readable

    workspace = context.workspace
    reading_context = Context(workspace.artifacts_dir, datasets_dir=workspace.datasets_dir)
    if source.startswith("dataset:"):
        registered = parse_source(source)
        assert isinstance(registered, DatasetSource)
        location = registered.location(reading_context)
    else:
        location = readable(source.removeprefix("file:"), reading_context)
    summary = _summary(location, reading_context.allowed_roots, workspace.datasets_dir)
    verdict = summary.verdict
    facts = {
        "images": summary.images,
        "classes": {label.name: label.images for label in summary.classes},
        "num_classes": summary.num_classes,
        "notice": summary.not_read and str(summary.not_read),
        "parts": [part.reading for part in verdict.of_parts] if verdict else [],
    }
    return Answer(facts, partial(_print_check, summary), int(bool(verdict and verdict.must_ask)))


def _summary(
    location: Path, allowed_roots: Collection[Path] | None, datasets_dir: Path
) -> FolderSummary:
    """Return the contents of a folder or of an archive, which is unpacked as for an import."""
    from modules.datasets.folder_summary import folder_summary
    from modules.files.archives import extract_archive
    from modules.files.disk import scratch_folder
    from modules.layouts.inner_archives import unpack_inner_archives

    if location.is_dir():
        return folder_summary(location, allowed_roots=allowed_roots)
    parent = datasets_dir if datasets_dir.is_dir() else Path(gettempdir())
    with scratch_folder(parent) as scratch:
        extract_archive(location, scratch / "content")
        unpack_inner_archives(scratch / "content", location.stat().st_size)
        return folder_summary(scratch / "content")


def _print_check(summary: FolderSummary) -> None:
    """The verdict, then a row for each way to label the images of each part."""
    assert summary.verdict is not None  # of a folder
    for sentence in filter(None, [summary.not_read, *summary.verdict.sentences]):
        console().print(str(sentence), markup=False)
    rows = [
        (part.part, choice.class_from, choice.num_images, choice.num_classes, choice.said)
        for part in summary.verdict.of_parts
        for choice in part.choices
    ]
    if rows:
        print_table((_("Part"), _("Class from"), _("Images"), _("Classes"), _("Reading")), rows, "")


@app.command("list")
@command
def list_datasets(context: CommandContext) -> Answer:
    """List the datasets of the workspace and their versions."""
    from modules.datasets.registered import list_datasets as found_in

    listed = found_in(context.workspace.datasets_dir)
    cells = (
        (dataset.name, ", ".join(map(str, dataset.versions)), f"dataset:{dataset.name}")
        for dataset in listed
    )
    empty = _("No datasets yet. Add one with `designer dataset import FOLDER_OR_ARCHIVE`.")
    return Answer(
        {
            "datasets": [
                {"name": dataset.name, "versions": list(dataset.versions)} for dataset in listed
            ]
        },
        partial(print_table, (_("Dataset"), _("Versions"), _("Source")), cells, empty),
    )


@app.command()
@command
def relocate(
    context: CommandContext,
    dataset: Annotated[
        str, typer.Argument(help="NAME@VERSION of a dataset of shards in an object store.")
    ],
    address: Annotated[str, typer.Argument(help="New address of the shards (s3://...).")],
) -> Answer:
    """Change the address of a dataset's shards after they were copied.

    The index at the new address must list the same images. Pipelines do not change.
    """
    name, _at, version = dataset.removeprefix("dataset:").partition("@")
    if not version.isdecimal():
        raise RefusedError(refusals.NO_VERSION_NUMBER, text=version)
    new_address = context.session.datasets.relocate(name, int(version), address)
    return Answer(
        {"source": f"dataset:{name}@{version}", "address": new_address},
        _(
            "dataset:{name}@{version} is now read from {address}.",
            name=name,
            version=version,
            address=new_address,
        ),
    )


@app.command()
@command
def delete(
    context: CommandContext,
    dataset: Annotated[str, typer.Argument(help="NAME, or NAME@VERSION for one version.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> Answer:
    """Delete a dataset or a version that no pipeline or run uses."""

    name, at, version = dataset.removeprefix("dataset:").partition("@")
    if at and not version.isdecimal():
        raise RefusedError(refusals.NO_VERSION_NUMBER, text=version)
    confirm(_("Delete {dataset}?", dataset=dataset), yes=yes, as_json=context.as_json)
    deleted = context.session.datasets.delete(name, int(version) if at else None)
    return Answer(
        {"name": name, "deleted_versions": deleted},
        _("Deleted {name}, versions {versions}.", name=name, versions=deleted),
    )
