"""``designer models``: the registry of trained models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.cli.output import (
    JsonOption,
    WorkspaceOption,
    confirm,
    console,
    facts,
    print_json,
    print_table,
    time_text,
    told,
)

if TYPE_CHECKING:
    from pipelines.registry.models import ModelRegistry
    from pipelines.runs.run_service import Runs

app = typer.Typer(help="Keep trained models under names, versions and aliases.")
ModelArgument = Annotated[str, typer.Argument(help="NAME, NAME@VERSION or NAME@ALIAS.")]


def _opened(workspace: Path | None) -> tuple[Runs, ModelRegistry]:
    from pipelines.registry.models import ModelRegistry
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    runs = Runs(Workspace.at(workspace))
    return runs, ModelRegistry(runs)


@app.command()
def register(
    name: Annotated[str, typer.Argument(help="The model's name; a known one gets a version more.")],
    run: Annotated[str, typer.Argument(help="The run that trained it, or `last`.")],
    node: Annotated[str | None, typer.Option(help="Its node, where several trained one.")] = None,
    alias: Annotated[str | None, typer.Option(help="A word for this version, say best.")] = None,
    description: Annotated[str | None, typer.Option(help="What the model is for.")] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Register the model that a run trained; it stays when the run is deleted."""
    from pipelines.registry.model_report import place_to_json

    with told(as_json=as_json):
        runs, registry = _opened(workspace)
        artifact_id, port = _trained(registry, runs.find(run).id, node)
        place = registry.register(artifact_id, port, name, description=description, alias=alias)
    if as_json:
        print_json(place_to_json(runs, place))
    else:
        console().print(f"Registered as {place.reference}.")


def _trained(registry: ModelRegistry, run_id: str, node: str | None) -> tuple[str, str]:
    found = registry.trained_by(run_id)
    fitting = [each for each in found if node is None or each[0] == node]
    if len(fitting) != 1:
        nodes = ", ".join(each[0] for each in found)
        known = f"its nodes {nodes} did: choose with --node" if found else "train one first"
        raise LookupError(f"Run {run_id} has not trained exactly one such model: {known}.")
    return fitting[0][1], fitting[0][2]


@app.command("list")
def list_models(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The registered models."""
    from pipelines.registry.model_report import model_to_json

    with told(as_json=as_json):
        runs, registry = _opened(workspace)
        found = [model_to_json(runs, model) for model in registry.all()]
    if as_json:
        print_json({"models": found})
        return
    rows = (
        (
            model["name"],
            len(model["versions"]),
            ", ".join(f"{alias} = {number}" for alias, number in model["aliases"].items()),
            time_text(model["versions"][-1]["created"]),
            model["description"],
        )
        for model in found
    )
    columns = ("Model", "Versions", "Aliases", "Newest", "Description")
    print_table(columns, rows, "No models yet: `designer models register NAME RUN` keeps one.")


@app.command()
def show(
    model: ModelArgument, workspace: WorkspaceOption = None, as_json: JsonOption = False
) -> None:
    """What a version is: metrics, classes, and the run that made it."""
    from pipelines.registry.model_report import place_to_json

    with told(as_json=as_json):
        runs, registry = _opened(workspace)
        found = place_to_json(runs, registry.find(model))
    if as_json:
        print_json(found)
        return
    lineage: dict[str, Any] = found["lineage"]
    made_by = lineage["run_id"] + ("" if lineage["run_exists"] else " (deleted)")
    facts(
        [
            ("Model", found["reference"]),
            ("Aliases", ", ".join(found["aliases"]) or "none"),
            ("Made by", f"{made_by}, node {lineage['node']}"),
            ("Classes", ", ".join(lineage["classes"][:20])),
            *((name, f"{value:.6g}") for name, value in found["metrics"].items()),
        ]
    )


@app.command()
def alias(
    model: Annotated[str, typer.Argument(help="NAME@VERSION; NAME with --remove.")],
    word: Annotated[str, typer.Argument(help="The alias, say best or production.")],
    remove: Annotated[bool, typer.Option("--remove", help="Take the alias away.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let an alias stand for a version of a model."""
    with told(as_json=as_json):
        _, registry = _opened(workspace)
        place = registry.find(model)
        number = None if remove else place.version.version
        aliases = registry.set_alias(place.model.name, word, number).aliases
    if as_json:
        print_json({"name": place.model.name, "aliases": aliases})
    else:
        listed = ", ".join(f"{name} = {version}" for name, version in aliases.items())
        console().print(f"{place.model.name}: {listed or 'no aliases'}.")


@app.command()
def export(
    model: ModelArgument,
    target: Annotated[Path, typer.Argument(help="A folder, a .zip or a .safetensors file.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a model to a folder or to one file."""
    from pipelines.registry.model_export import export as written

    with told(as_json=as_json):
        _, registry = _opened(workspace)
        place = registry.find(model)
        form = written(place, target, replace=force)
    if as_json:
        print_json({"reference": place.reference, "path": str(target), "form": form})
    else:
        console().print(f"{place.reference} is now in {target}.", markup=False)


@app.command()
def delete(
    model: Annotated[str, typer.Argument(help="NAME, or NAME@VERSION for one version.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a model or a version, unless a pipeline or a run under way needs it."""
    with told(as_json=as_json):
        _, registry = _opened(workspace)
        place = registry.find(model)
        version = place.version.version if "@" in model else None
        confirm(f"Delete {model}?", yes=yes, as_json=as_json)
        registry.delete(place.model.name, version)
    if as_json:
        print_json({"name": place.model.name, "version": version, "deleted": True})
    else:
        console().print(f"{model} is deleted; `designer gc` frees what nothing refers to now.")
