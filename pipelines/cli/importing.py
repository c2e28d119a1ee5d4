"""``designer import``: pipelines from files of other tools."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console
from pipelines.errors import NameTakenError
from pipelines.sentences import _, refusals

if TYPE_CHECKING:
    from modules.sentences.sentence import Statement


@command
def import_file(
    context: CommandContext,  # noqa: ARG001 - every command has one
    file: Annotated[
        Path, typer.Argument(help="Python file with a ScriptRunConfig of Azure's SDK v1.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            help="Path of the pipeline document. Default: FILE.json in the current folder."
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Overwrite an existing file.")] = False,
) -> Answer:
    """Create a pipeline from a file that starts a training in Azure. The file is not executed."""
    from pipelines.document.document import dump_document
    from pipelines.document.script_run_configs import read_submission

    imported = read_submission(file)
    path = out or Path(f"{file.stem}.json")
    if path.exists() and not overwrite:
        raise NameTakenError(refusals.FILE_THERE, file=path)
    path.write_text(dump_document(imported.document), encoding="utf-8")
    notes = [{"message": note.message, "cure": note.cure} for note in imported.notes]
    content = {"file": str(path), "notes": notes, "document": imported.document.to_json()}
    return Answer(content, partial(_print, path, imported.notes))


def _print(path: Path, notes: Sequence[Statement]) -> None:
    for note in notes:
        console(error=True).print(str(note), style="yellow", markup=False)
    console().print(_("Wrote {path}. Run it with: designer run {path}", path=path), markup=False)
