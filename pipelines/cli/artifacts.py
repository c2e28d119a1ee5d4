"""``designer artifacts`` and ``designer gc``: stored outputs and garbage collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from modules.formatting import format_bytes
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console, print_json, print_table, time_text
from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import _, refusals

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.store.artifacts.artifact_store import ArtifactDamage
    from pipelines.store.database.artifacts import ArtifactRecord

app = typer.Typer(help="Show and verify stored outputs.", no_args_is_help=True)
ArtifactArgument = Annotated[
    str | None, typer.Argument(help="An artifact's ID or its first characters. Default: all.")
]


@app.command()
@command
def show(context: CommandContext, artifact: ArtifactArgument = None) -> Answer:
    """List artifacts or show the manifests of one."""
    records = _matching(context, artifact)
    if artifact and not records:
        raise NotFoundError(refusals.NO_ARTIFACT_BEGINS, text=artifact)
    if not context.as_json and len(records) != 1:
        return Answer(None, partial(_print_table, records))
    store = context.session.artifacts
    listed = [
        {**asdict(record), "ports": _manifests(store.artifact_folder(record.id))}
        for record in records
    ]
    content = {"artifacts": listed} if context.as_json and not artifact else listed[0]
    return Answer(content, partial(print_json, content))


def _matching(context: CommandContext, artifact: str | None) -> list[ArtifactRecord]:
    records = context.session.artifacts.index.all()
    return [record for record in records if record.id.startswith(artifact or "")]


def _manifests(folder: Path) -> Mapping[str, Any]:
    from modules.artifacts import read_json

    return {path.parent.name: read_json(path) for path in sorted(folder.glob("*/manifest.json"))}


def _print_table(records: Sequence[ArtifactRecord]) -> None:
    rows = (
        [a.id, a.node, a.run_id, format_bytes(a.num_bytes), _state(a), time_text(a.created)]
        for a in records
    )
    columns = (_("Artifact"), _("Node"), _("Run"), _("Size"), "", _("Created"))
    print_table(columns, rows, _("No artifacts yet. Run a pipeline to create some."))


def _state(artifact: ArtifactRecord) -> str:
    return "damaged" if artifact.damaged else ""


@app.command()
@command
def verify(context: CommandContext, artifact: ArtifactArgument = None) -> Answer:
    """Verify the hashes of all files. The next run recreates damaged artifacts."""
    records = _matching(context, artifact)
    damages = [
        damage for record in records for damage in context.session.artifacts.verify(record.id)
    ]
    return Answer(
        {"verified": len(records), "damages": [asdict(damage) for damage in damages]},
        partial(_print_damages, len(records), damages),
        exit_code=1 if damages else 0,
    )


def _print_damages(num_artifacts: int, damages: Sequence[ArtifactDamage]) -> None:
    for damage in damages:
        output = f"{damage.artifact_id}/{damage.port}"
        console().print(
            _("damaged {output}: {message}", output=output, message=damage.message),
            style="red",
            markup=False,
        )
    bad = len({damage.artifact_id for damage in damages})
    text = _(
        "{intact} of {count} artifacts are intact.", intact=num_artifacts - bad, count=num_artifacts
    )
    cure = _("Run their pipelines again to recreate them.") if bad else ""
    console().print(f"{text} {cure}".rstrip())


@command
def gc(
    context: CommandContext,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the effect without deleting anything.")
    ] = False,
    yes: Annotated[
        bool,
        typer.Option("--yes", help="Also delete recent folders that are not in the database."),
    ] = False,
) -> Answer:
    """Delete unreferenced outputs, leftovers of interrupted steps and unused environments.

    Run and output folders that are not in the database are kept for 30 days.
    """
    with context.session.runner.sweeping() as alone:
        if not alone:
            raise RefusedError(refusals.ANY_RUN_UNDER_WAY)
        sweep = context.session.artifacts.sweep(dry_run=dry_run, takes_unknown=yes)
        unused = context.session.environments.sweep(dry_run=dry_run)
    num_folders = len(sweep.artifact_ids) + len(sweep.leftovers) + len(unused.folders)
    freed = format_bytes(sweep.num_bytes + unused.num_bytes)
    lines = [_freed_text(freed, num_folders, len(sweep.objects), dry_run=dry_run)]
    if sweep.kept_unknown:
        facts = {"names": sweep.kept_unknown, "count": len(sweep.kept_unknown)}
        lines.append(str(refusals.UNKNOWN_KEPT.about(facts)))
    return Answer(
        {"dry_run": dry_run, **asdict(sweep), "environments": asdict(unused)}, "\n".join(lines)
    )


def _freed_text(size: str, folders: int, objects: int, *, dry_run: bool) -> str:
    stored = _(", {count} objects in the object store", count=objects) if objects else ""
    facts = {"size": size, "folders": folders, "objects": stored}
    if dry_run:
        return _("Would free {size}: {folders} unreferenced folders{objects}.", **facts)
    return _("Freed {size}: {folders} unreferenced folders{objects}.", **facts)
