"""``designer models``: the registry of trained models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.model_aliases import alias, listed, moves, rule
from pipelines.cli.output import confirm, print_facts, print_table, time_text
from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import _, refusals

if TYPE_CHECKING:
    from modules.export.agreement import AgreementData
    from pipelines.registry.model_report import ModelEntry, ModelVersionReport
    from pipelines.registry.models import ModelRegistry, RegisteredVersion
    from pipelines.registry.weight_checks import CheckedVersion

app = typer.Typer(help="Manage the model registry.")
NameArgument = Annotated[
    str, typer.Argument(help="The model's name. If it exists, a new version is added.")
]
AliasOption = Annotated[str | None, typer.Option(help="Alias of this version, for example best.")]
DescriptionOption = Annotated[str | None, typer.Option(help="Description of the model.")]
ModelArgument = Annotated[str, typer.Argument(help="NAME, NAME@VERSION or NAME@ALIAS.")]


@app.command()
@command
def register(
    context: CommandContext,
    name: NameArgument,
    run: Annotated[str, typer.Argument(help="The run that trained it, or `last`.")],
    node: Annotated[
        str | None, typer.Option(help="Node that trained the model, if several did.")
    ] = None,
    port: Annotated[str | None, typer.Option(help="Output of the node, if it has several.")] = None,
    file: Annotated[
        str | None,
        typer.Option(help="A file that --node wrote, as listed by `designer runs files`."),
    ] = None,
    alias: AliasOption = None,
    description: DescriptionOption = None,
) -> Answer:
    """Register a model that a run trained or exported as ONNX, or a file that its script wrote.

    The model is kept when the run is deleted.
    """
    from pipelines.inspection.alias_moves import mover
    from pipelines.registry.model_report import version_report

    run_id = context.runs.find(run).id
    if file is not None:
        registered = _file_registered(context, name, run_id, node, file, description, alias)
    else:
        registry = context.session.models
        artifact_id, port = _chosen_output(registry, run_id, node, port)
        registered = registry.register(
            artifact_id, port, name, description=description, alias=alias, by=mover("cli")
        )
    return Answer(
        partial(version_report, context.session.models, registered),
        _("Registered as {name}.", name=registered.reference),
    )


def _file_registered(
    context: CommandContext,
    name: str,
    run_id: str,
    node: str | None,
    file: str,
    description: str | None,
    alias: str | None,
) -> RegisteredVersion:
    from pipelines.registry.written_files import register_file
    from pipelines.runs.step_files import StepFiles

    if node is None:
        raise RefusedError(refusals.FILE_WITHOUT_NODE, file=file)
    path = StepFiles(context.runs, run_id, node).find(file)
    if path is None:
        raise NotFoundError(refusals.NO_FILE_OF_NODE, node=node, run=run_id, file=file)
    registry = context.session.models
    return register_file(registry, path, run_id, node, name, description=description, alias=alias)


def _chosen_output(
    registry: ModelRegistry, run_id: str, node: str | None, port: str | None
) -> tuple[str, str]:
    """Return artifact and port of the requested model.

    Trained ones come before those of scripts, and those before exported ones.
    """
    kinds = (registry.trained_by(run_id), registry.written_by(run_id), registry.exported_by(run_id))
    trained, written, exported = (
        [model for model in models if node in (None, model[0]) and port in (None, model[2])]
        for models in kinds
    )
    fitting = trained or written or exported
    if len(fitting) == 1:
        return fitting[0][1], fitting[0][2]
    nodes = {model[0] for models in kinds for model in models}
    if not nodes:
        raise NotFoundError(refusals.NO_MODEL_TRAINED, run=run_id)
    if not fitting:
        raise NotFoundError(refusals.NO_MODEL_MATCHES, run=run_id, nodes=sorted(nodes))
    several = sorted({model[0] for model in fitting})
    raise NotFoundError(refusals.SEVERAL_MODELS_TRAINED, run=run_id, nodes=several)


@app.command("import")
@command
def import_model(
    context: CommandContext,
    name: NameArgument,
    file: Annotated[Path, typer.Argument(help="ONNX file of Export Model, from any machine.")],
    alias: AliasOption = None,
    description: DescriptionOption = None,
) -> Answer:
    """Register an exported ONNX file, for the node ONNX Model.

    The file is checked and copied. Other ONNX files are rejected: they do not describe their labels
    and the preparation of images.
    """
    from pipelines.inspection.alias_moves import mover
    from pipelines.registry.model_report import version_report
    from pipelines.registry.written_files import register_onnx_file

    registry, by = context.session.models, mover("cli")
    registered = register_onnx_file(registry, file, name, by, description=description, alias=alias)
    return Answer(
        partial(version_report, registry, registered),
        _("Registered as {name}.", name=registered.reference),
    )


@app.command("list")
@command
def list_models(context: CommandContext) -> Answer:
    """List the registered models."""
    from pipelines.registry.model_report import model_entry

    entries = [model_entry(context.session.models, model) for model in context.session.models.all()]
    return Answer({"models": entries}, partial(_print_models, entries))


def _print_models(models: Sequence[ModelEntry]) -> None:
    rows = (
        (
            model.name,
            len(model.versions),
            listed(model.aliases),
            time_text(model.versions[-1].created),
            model.description,
        )
        for model in models
    )
    columns = (_("Model"), _("Versions"), _("Aliases"), _("Newest"), _("Description"))
    print_table(
        columns, rows, _("No models yet. Register one with `designer models register NAME RUN`.")
    )


@app.command()
@command
def show(context: CommandContext, model: ModelArgument) -> Answer:
    """Show the metrics, classes and run of a model version."""
    from pipelines.registry.model_report import version_report

    report = version_report(context.session.models, context.session.models.find(model))
    return Answer(report, partial(_print_model, report))


def _print_model(report: ModelVersionReport) -> None:
    lineage: Mapping[str, Any] = report.lineage
    print_facts(
        [
            (_("Model"), report.reference),
            (_("Aliases"), ", ".join(report.aliases) or _("none")),
            (_("Trained by"), _maker(lineage)),
            *_about(lineage),
            *((name, f"{value:.6g}") for name, value in report.metrics.items()),
        ]
    )


def _maker(lineage: Mapping[str, Any]) -> str:
    if lineage["run_id"] is None:
        return _("unknown, imported from a file")
    made_by = lineage["run_id"] + ("" if lineage["run_exists"] else f" ({_('deleted')})")
    return _("{run}, node {node}", run=made_by, node=lineage["node"])


def _about(lineage: Mapping[str, Any]) -> list[tuple[str, str]]:
    if "classes" in lineage:
        return [(_("Classes"), ", ".join(lineage["classes"][:20]))]
    return [(_("Framework"), lineage["framework"]), (_("File"), lineage["file"])]


@app.command()
@command
def check(
    context: CommandContext,
    model: Annotated[
        str | None, typer.Argument(help="NAME, NAME@VERSION or NAME@ALIAS. Default: all models.")
    ] = None,
) -> Answer:
    """Check weights for implausible values: NaN, infinity or extremely large numbers.

    Exits with code 1 if a model has such values.
    """
    from pipelines.registry.weight_checks import check_version

    registry = context.session.models
    references = [
        f"{entry.name}@{version.version}"
        for entry in registry.all()
        for version in entry.versions
        if model is None
    ]
    versions = map(registry.find, references if model is None else [model])
    verdicts = [check_version(registered, context.workspace.cache_dir) for registered in versions]
    num_faults = sum(verdict.message is not None for verdict in verdicts)
    return Answer(
        {"checked": len(verdicts), "faults": num_faults, "models": verdicts},
        partial(_print_verdicts, verdicts),
        exit_code=1 if num_faults else 0,
    )


def _print_verdicts(verdicts: Sequence[CheckedVersion]) -> None:
    rows = (
        (verdict.reference, verdict.weights, verdict.message or "", verdict.cure or "")
        for verdict in verdicts
    )
    columns = (_("Model"), _("Weights"), _("Problem"), _("Fix"))
    print_table(
        columns, rows, _("No models yet. Register one with `designer models register NAME RUN`.")
    )


app.command()(alias)
app.command()(rule)
app.command()(moves)


@app.command()
@command
def export(
    context: CommandContext,
    model: ModelArgument,
    target: Annotated[
        Path,
        typer.Argument(
            help="A folder, or a file that ends in .onnx, .pt2, .safetensors, .pt or .zip. Models "
            "of scripts also support their own format."
        ),
    ],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="onnx, onnx-int8, torch-export, safetensors, page or page-int8. Default: by "
            "the extension.",
        ),
    ] = None,
    batch: Annotated[
        bool,
        typer.Option("--batch", help="ONNX: accept batches of images in the model's input size."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> Answer:
    """Export a model to a folder or file: everything, its tensors, or for other programs.

    ONNX files contain everything from pixels to named probabilities. They are compared with Score
    Image Model on validation images and rejected if they differ. OpenVINO opens the same file. A
    page is a folder or zip for any web server: it recognizes images in the browser.
    """
    from modules.artifacts import TrainedModel
    from pipelines.registry.format_export import BY_SUFFIX
    from pipelines.registry.model_export import export as written

    registered = context.session.models.find(model)
    chosen: str | None = form
    if form is None and isinstance(registered.artifact, TrainedModel):
        chosen = BY_SUFFIX.get(target.suffix.lower())
    if chosen is not None:
        return _format_exported(context, registered, target, chosen, batch=batch, replace=force)
    kind = written(registered, target, replace=force)
    return Answer(
        {"reference": registered.reference, "path": str(target), "form": kind},
        _("{model} was exported to {path}.", model=registered.reference, path=target)
        + _without_code(registered, kind),
    )


def _format_exported(
    context: CommandContext,
    registered: RegisteredVersion,
    target: Path,
    chosen: str,
    *,
    batch: bool,
    replace: bool,
) -> Answer:
    """Export in a format for other programs, checked on the images of the model's run."""
    from pipelines.inspection.run_images import run_images
    from pipelines.registry.format_export import export_format

    registry = context.session.models
    record = registry.artifacts.index.get(registered.version.artifact.split("/")[0])
    images = run_images(context.runs, registered.version.run_id, record.node if record else None)
    card = export_format(
        registered.artifact,
        registered.reference,
        target,
        chosen,
        images,
        batch=batch,
        replace=replace,
    )
    agreement = card.get("agreement")
    facts = {"reference": registered.reference, "path": str(target), "form": chosen}
    return Answer(
        {**facts, "agreement": agreement},
        _("{model} was exported to {path}.", model=registered.reference, path=target)
        + _agreed(agreement)
        + _without_code(registered, chosen),
    )


def _agreed(agreement: AgreementData | None) -> str:
    """Return the result of the comparison with scoring, as a sentence."""
    from modules.export.card import difference_text

    if agreement is None:
        return ""
    said = " " + _(
        "{agreed:,} of {images:,} labels agree with Score Image Model in fp32, and probabilities "
        "differ by at most {difference} ({source}).",
        agreed=agreement["equal_labels"],
        images=agreement["images"],
        difference=difference_text(agreement["largest_difference"]),
        source=agreement["images_from"],
    )
    rounded = agreement.get("in_bf16")
    if rounded:
        said += " " + _(
            "With scores in bf16, the format of the training: {agreed:,} labels, within "
            "{difference}.",
            agreed=rounded["equal_labels"],
            difference=difference_text(rounded["largest_difference"]),
        )
    return said


def _without_code(registered: RegisteredVersion, form: str) -> str:
    """Return a note about the code of a custom network, which weights alone do not contain."""
    if form not in ("safetensors", "pt") or "code" not in registered.artifact.description.get(
        "recipe", {}
    ):
        return ""
    return " " + _(
        "It does not contain the code of its network. To include it, export to a folder or zip."
    )


@app.command()
@command
def delete(
    context: CommandContext,
    model: Annotated[str, typer.Argument(help="NAME, or NAME@VERSION for one version.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> Answer:
    """Delete a model or a version that no pipeline or active run uses."""
    registry = context.session.models
    registered = registry.find(model)
    version = registered.version.version if "@" in model else None
    confirm(_("Delete {model}?", model=model), yes=yes, as_json=context.as_json)
    registry.delete(registered.model.name, version)
    return Answer(
        {"name": registered.model.name, "version": version, "deleted": True},
        _("{model} was deleted. Free its disk space with `designer gc`.", model=model),
    )
