"""``designer dataset``: folders and archives kept in the workspace under a name and versions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli.output import (
    JsonOption,
    WorkspaceOption,
    confirm,
    console,
    print_json,
    print_table,
    told,
)

app = typer.Typer(help="Keep datasets in the workspace.", no_args_is_help=True)


@app.command("import")
def import_dataset(
    source: Annotated[Path, typer.Argument(help="A folder, or a zip or tar archive.")],
    name: Annotated[str | None, typer.Option(help="Its name; by default that of the file.")] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy a folder or archive into the workspace as the next version of a dataset."""
    from modules.datasets.registered import register_dataset
    from modules.files.scanning import notice_of
    from pipelines.workspace import Workspace

    chosen = name or source.resolve().name.split(".")[0]
    with told(as_json=as_json):
        if not source.exists():
            raise ValueError(f"{source} is not there: give the path of a folder or archive.")
        datasets_dir = Workspace.at(workspace).make().datasets_dir
        version = register_dataset(source, chosen, datasets_dir)
        notice = notice_of(source)
    if notice is not None:
        console(error=True).print(notice, style="yellow", markup=False)
    use = f"dataset:{chosen}@{version}"
    if as_json:
        print_json({"name": chosen, "version": version, "source": use})
    else:
        console().print(f"Imported. Use it in Import Images as {use}.")


@app.command("list")
def list_datasets(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The datasets of the workspace and their versions."""
    from modules.datasets.registered import list_datasets as found_in
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        found = found_in(Workspace.at(workspace).datasets_dir)
    if as_json:
        rows = [{"name": each.name, "versions": list(each.versions)} for each in found]
        print_json({"datasets": rows})
        return
    cells = (
        (each.name, ", ".join(map(str, each.versions)), f"dataset:{each.name}") for each in found
    )
    empty = "No datasets yet: `designer dataset import FOLDER_OR_ARCHIVE` makes one."
    print_table(("Dataset", "Versions", "Source"), cells, empty)


@app.command()
def delete(
    dataset: Annotated[str, typer.Argument(help="NAME, or NAME@VERSION for one version.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a dataset or a version, unless a pipeline or a run refers to it."""
    from pipelines.registry.datasets import delete_dataset
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        name, at, version = dataset.removeprefix("dataset:").partition("@")
        if at and not version.isdecimal():
            raise ValueError(f"{version!r} is no version: write a whole number.")
        confirm(f"Delete {dataset}?", yes=yes, as_json=as_json)
        gone = delete_dataset(Runs(Workspace.at(workspace)), name, int(version) if at else None)
    if as_json:
        print_json({"name": name, "deleted_versions": gone})
    else:
        console().print(f"Deleted {name}, versions {', '.join(map(str, gone))}.")
