"""``designer runs files`` and ``download``: files that the processes of a step write."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modules.formatting import format_bytes
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import print_table
from pipelines.errors import NotFoundError
from pipelines.sentences import _, refusals

if TYPE_CHECKING:
    from pipelines.runs.step_files import StepFiles

RunArgument = Annotated[
    str, typer.Argument(help="A run's ID, its first or last characters, or `last`.")
]
NodeArgument = Annotated[str, typer.Argument(help="The node.")]


@command
def files(context: CommandContext, run: RunArgument, node: NodeArgument) -> Answer:
    """List the outputs and logs of a node's processes, also while it is running."""
    step_files = _files_of(context, run, node)[1]
    listed = step_files.all()
    content = {"files": [vars(file) for file in listed]}
    rows = ((file.path, format_bytes(file.num_bytes)) for file in listed)
    return Answer(content, partial(print_table, (_("File"), _("Size")), rows, _("No files yet.")))


@command
def download(
    context: CommandContext,
    run: RunArgument,
    node: NodeArgument,
    path: Annotated[str, typer.Argument(help="Path as listed by `designer runs files`.")],
    to: Annotated[Path, typer.Option(help="Destination folder.")] = Path(),
) -> Answer:
    """Copy a file of a node's processes, also while it is running."""
    run_id, step_files = _files_of(context, run, node)
    source = step_files.find(path)
    if source is None:
        raise NotFoundError(refusals.NO_FILE_OF_STEP, run=run_id, node=node, path=path)
    to.mkdir(parents=True, exist_ok=True)
    copy = Path(shutil.copyfile(source, to / source.name))
    return Answer({"path": str(copy)}, _("Copied to {copy}.", copy=copy))


def _files_of(context: CommandContext, run: str, node: str) -> tuple[str, StepFiles]:
    from pipelines.runs.step_files import StepFiles  # SQL is slow to import

    record = context.refreshed_runs.find(run)
    if node not in context.runs.store.state(record.id).steps:
        raise NotFoundError(refusals.NO_NODE_OF_RUN, run=record.id, node=node)
    return record.id, StepFiles(context.runs, record.id, node)
