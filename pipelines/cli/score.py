"""``designer score``: a folder of images scored by a registered model, in shards."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console
from pipelines.errors import RefusedError
from pipelines.sentences import _, calling

if TYPE_CHECKING:
    from modules.scoring.batch_scoring import BatchResult


@command
def score(
    context: CommandContext,
    model: Annotated[str, typer.Argument(help="NAME, NAME@VERSION or NAME@ALIAS.")],
    folder: Annotated[Path, typer.Argument(help="Folder of images.")],
    output: Annotated[Path, typer.Argument(help="Folder for the predictions.")],
    shard: Annotated[int, typer.Option(min=1, help="Images per shard.")] = 500,
    target: Annotated[
        str | None,
        typer.Option(help="Compute target. Default: this process, without a run."),
    ] = None,
) -> Answer:
    """Score a folder of images: predictions.parquet and predictions.csv.

    Run it again after a crash, or with new images: finished shards are kept. With --target a run
    scores the images there; the same command follows it, or resumes it after a failure.
    """
    from modules.artifacts import TrainedModel
    from modules.context import Context
    from modules.files.disk import disk_errors, scratch_folder
    from modules.files.locks import alone
    from modules.scoring.batch_scoring import score_folder
    from modules.scoring.picture_scoring import open_picture_scorer

    registered = context.session.models.find(model)
    artifact = registered.artifact
    if not isinstance(artifact, TrainedModel):
        raise RefusedError(calling.NOT_SERVABLE, model=registered.reference)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or str(error)
        raise RefusedError(calling.NO_OUTPUT_FOLDER, folder=str(output), why=why) from None
    quiet = context.as_json
    if target is not None:
        return _on_target(context, registered.reference, folder, output, target)
    with (
        disk_errors(output),
        scratch_folder(context.workspace.cache_dir) as scratch,
        alone(output / ".lock", cache(partial(_waiting, quiet))),
        open_picture_scorer(artifact, Context(scratch)) as scorer,
    ):
        key = f"{registered.reference} {registered.version.artifact}"
        report = partial(_report, quiet)
        result = score_folder(scorer, key, folder, output, shard_images=shard, report=report)
    return Answer(
        {"model": registered.reference, "output": str(output), **vars(result)},
        partial(_print, result, output),
    )


def _on_target(
    context: CommandContext, model: str, folder: Path, output: Path, target: str
) -> Answer:
    from modules.files.disk import disk_errors
    from modules.files.locks import alone
    from pipelines.cli.score_on_target import score_on_target

    waiting = cache(partial(_waiting, context.as_json))
    with disk_errors(output), alone(output / ".lock", waiting):
        result = score_on_target(context, model, folder, output, target)
    if isinstance(result, Answer):
        return result
    return Answer(
        {"model": model, "output": str(output), **vars(result)}, partial(_print, result, output)
    )


def _waiting(quiet: bool) -> None:
    if not quiet:
        console(error=True).print(_("Waiting for another scoring of the same output."))


def _report(quiet: bool, done: int, total: int) -> None:
    if not quiet:
        console(error=True).print(_("{done:,} of {total:,} images", done=done, total=total))


def _print(result: BatchResult, output: Path) -> None:
    console().print(
        _(
            "{images:,} {images:image|images}, {scored_now:,} scored now, {failed:,} could not be "
            "read. Predictions: {path}.",
            images=result.images,
            scored_now=result.scored_now,
            failed=result.failed,
            path=output,
        ),
        markup=False,
    )
