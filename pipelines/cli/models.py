"""``designer models``: the registry of trained models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import confirm, print_facts, print_table, time_text
from pipelines.errors import NotFoundError
from pipelines.sentences import refusals

if TYPE_CHECKING:
    from pipelines.registry.models import ModelPlace, ModelRegistry

app = typer.Typer(help="Keep models under names, versions and aliases.")
ModelArgument = Annotated[str, typer.Argument(help="NAME, NAME@VERSION or NAME@ALIAS.")]


@app.command()
@command
def register(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help="The model's name; a known one gets a version more.")],
    run: Annotated[str, typer.Argument(help="The run that trained it, or `last`.")],
    node: Annotated[str | None, typer.Option(help="Its node, where several trained one.")] = None,
    port: Annotated[str | None, typer.Option(help="Its output, where one gave several.")] = None,
    file: Annotated[
        str | None, typer.Option(help="A file that --node wrote, as `runs files` lists it.")
    ] = None,
    alias: Annotated[str | None, typer.Option(help="A word for this version, say best.")] = None,
    description: Annotated[str | None, typer.Option(help="What the model is for.")] = None,
) -> Answer:
    """Register the model that a run trained, or that its script wrote, or any file of a script.

    It stays when the run is deleted.
    """
    from pipelines.registry.model_report import place_to_json

    run_id = context.runs.find(run).id
    if file is not None:
        place = _file_registered(context, name, run_id, node, file, description, alias)
    else:
        registry = context.session.models
        artifact_id, port = _given(registry, run_id, node, port)
        place = registry.register(artifact_id, port, name, description=description, alias=alias)
    return Answer(
        partial(place_to_json, context.session.models, place), f"Registered as {place.reference}."
    )


def _file_registered(
    context: CommandContext,
    name: str,
    run_id: str,
    node: str | None,
    file: str,
    description: str | None,
    alias: str | None,
) -> ModelPlace:
    from pipelines.registry.written_files import register_file
    from pipelines.runs.step_files import StepFiles

    path = StepFiles(context.runs, run_id, node or "").find(file)
    if path is None:
        raise NotFoundError(refusals.NO_FILE_OF_NODE, node=node or "No node", run=run_id, file=file)
    registry = context.session.models
    return register_file(
        registry, path, run_id, node or "", name, description=description, alias=alias
    )


def _given(
    registry: ModelRegistry, run_id: str, node: str | None, port: str | None
) -> tuple[str, str]:
    """Artifact id and port of the one model that is meant; trained ones before scripts' own."""
    trained, written = (
        [each for each in found if node in (None, each[0]) and port in (None, each[2])]
        for found in (registry.trained_by(run_id), registry.written_by(run_id))
    )
    fitting = trained or written
    if len(fitting) != 1:
        nodes = [each[0] for each in (*registry.trained_by(run_id), *registry.written_by(run_id))]
        which = refusals.SEVERAL_MODELS_TRAINED if nodes else refusals.NO_MODEL_TRAINED
        raise NotFoundError(which, run=run_id, nodes=sorted(set(nodes)))
    return fitting[0][1], fitting[0][2]


@app.command("list")
@command
def list_models(context: CommandContext) -> Answer:
    """The registered models."""
    from pipelines.registry.model_report import model_to_json

    found = [model_to_json(context.session.models, model) for model in context.session.models.all()]
    return Answer({"models": found}, partial(_print_models, found))


def _print_models(models: Sequence[dict[str, Any]]) -> None:
    rows = (
        (
            model["name"],
            len(model["versions"]),
            _listed(model["aliases"]),
            time_text(model["versions"][-1]["created"]),
            model["description"],
        )
        for model in models
    )
    columns = ("Model", "Versions", "Aliases", "Newest", "Description")
    print_table(columns, rows, "No models yet: `designer models register NAME RUN` keeps one.")


def _listed(aliases: dict[str, int]) -> str:
    return ", ".join(f"{alias} = {version}" for alias, version in aliases.items())


@app.command()
@command
def show(context: CommandContext, model: ModelArgument) -> Answer:
    """What a version is: metrics, classes, and the run that made it."""
    from pipelines.registry.model_report import place_to_json

    found = place_to_json(context.session.models, context.session.models.find(model))
    return Answer(found, partial(_print_model, found))


def _print_model(found: dict[str, Any]) -> None:
    lineage: dict[str, Any] = found["lineage"]
    made_by = lineage["run_id"] + ("" if lineage["run_exists"] else " (deleted)")
    print_facts(
        [
            ("Model", found["reference"]),
            ("Aliases", ", ".join(found["aliases"]) or "none"),
            ("Made by", f"{made_by}, node {lineage['node']}"),
            *_about(lineage),
            *((name, f"{value:.6g}") for name, value in found["metrics"].items()),
        ]
    )


def _about(lineage: dict[str, Any]) -> list[tuple[str, str]]:
    if "classes" in lineage:
        return [("Classes", ", ".join(lineage["classes"][:20]))]
    return [("Framework", lineage["framework"]), ("File", lineage["file"])]


@app.command()
@command
def check(
    context: CommandContext,
    model: Annotated[
        str | None, typer.Argument(help="NAME, NAME@VERSION or NAME@ALIAS; all without it.")
    ] = None,
) -> Answer:
    """Check weights for values that no training leads to: NaN, infinity, or absurdly large ones.

    A file is read once; exit code 1 if a model is at fault.
    """
    from pipelines.registry.weight_checks import check_place

    registry = context.session.models
    references = [
        f"{each.name}@{version.version}"
        for each in registry.all()
        for version in each.versions
        if model is None
    ]
    places = map(registry.find, references if model is None else [model])
    verdicts = [check_place(place, context.workspace.cache_dir) for place in places]
    num_faults = sum(each["message"] is not None for each in verdicts)
    return Answer(
        {"checked": len(verdicts), "faults": num_faults, "models": verdicts},
        partial(_print_verdicts, verdicts),
        exit_code=1 if num_faults else 0,
    )


def _print_verdicts(verdicts: Sequence[dict[str, Any]]) -> None:
    rows = (
        (each["reference"], each["weights"], each["message"] or "", each["cure"] or "")
        for each in verdicts
    )
    columns = ("Model", "Weights", "Fault", "Fix")
    print_table(columns, rows, "No models yet: `designer models register NAME RUN` keeps one.")


@app.command()
@command
def alias(
    context: CommandContext,
    model: Annotated[str, typer.Argument(help="NAME@VERSION; NAME with --remove.")],
    word: Annotated[str, typer.Argument(help="The alias, say best or production.")],
    remove: Annotated[bool, typer.Option("--remove", help="Take the alias away.")] = False,
) -> Answer:
    """Let an alias stand for a version of a model."""
    registry = context.session.models
    place = registry.find(model)
    number = None if remove else place.version.version
    aliases = registry.set_alias(place.model.name, word, number).aliases
    return Answer(
        {"name": place.model.name, "aliases": aliases},
        f"{place.model.name}: {_listed(aliases) or 'no aliases'}.",
    )


@app.command()
@command
def export(
    context: CommandContext,
    model: ModelArgument,
    target: Annotated[
        Path,
        typer.Argument(
            help="A folder, or a file .zip, .safetensors or .pt; of a script's model also its own."
        ),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> Answer:
    """Write a model to a folder or to one file: all of it, its tensors, or a script's own file."""
    from pipelines.registry.model_export import export as written

    place = context.session.models.find(model)
    form = written(place, target, replace=force)
    return Answer(
        {"reference": place.reference, "path": str(target), "form": form},
        f"{place.reference} is now in {target}.{_without_code(place, form)}",
    )


def _without_code(place: ModelPlace, form: str) -> str:
    """What weights alone lack whose network is somebody's own code."""
    if form not in ("safetensors", "pt") or "code" not in place.artifact.description.get(
        "recipe", {}
    ):
        return ""
    return " Its network is your own code: that is in model.json of a folder or zip."


@app.command()
@command
def delete(
    context: CommandContext,
    model: Annotated[str, typer.Argument(help="NAME, or NAME@VERSION for one version.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> Answer:
    """Delete a model or a version, unless a pipeline or a run under way needs it."""
    registry = context.session.models
    place = registry.find(model)
    version = place.version.version if "@" in model else None
    confirm(f"Delete {model}?", yes=yes, as_json=context.as_json)
    registry.delete(place.model.name, version)
    return Answer(
        {"name": place.model.name, "version": version, "deleted": True},
        f"{model} is deleted; `designer gc` frees what nothing refers to now.",
    )
