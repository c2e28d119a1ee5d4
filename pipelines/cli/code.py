"""``designer code``: pipelines as Python code, which is read without running it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.document.document import PipelineDocument
    from pipelines.problems import Problem

app = typer.Typer(help="Show pipelines as Python code and check such code.", no_args_is_help=True)


@app.command()
@command
def show(
    context: CommandContext,
    pipeline: Annotated[
        str,
        typer.Argument(
            help="The id of a saved pipeline, a lesson such as 01-digits, or a file (JSON, .py, -)."
        ),
    ],
) -> Answer:
    """Print a pipeline as Python code."""
    from pipelines.document.code.write import to_code

    code = to_code(_document(context, pipeline), context.session.catalog)
    return Answer({"code": code}, lambda: sys.stdout.write(code))


def _document(context: CommandContext, pipeline: str) -> PipelineDocument:
    """Return a pipeline by its file or lesson, otherwise by its id in the workspace."""
    from pipelines.document.document import parse_document
    from pipelines.errors import PipelineNotFoundError
    from pipelines.lessons.pipeline_files import is_pipeline_file, load_pipeline, pipeline_file

    saved = context.session.pipelines
    if is_pipeline_file(Path(pipeline)) or "/" in pipeline:
        return load_pipeline(Path(pipeline), context.session.catalog)
    try:
        return parse_document(saved.open(pipeline).document)
    except PipelineNotFoundError:
        return load_pipeline(pipeline_file(Path(pipeline)), context.session.catalog)


@dataclass(frozen=True)
class _Finding:
    """Problem and the line of code that it is about; None for the whole file."""

    problem: Problem
    line: int | None


@app.command()
@command
def check(
    context: CommandContext,
    file: Annotated[
        Path, typer.Argument(help="Python file with a pipeline, or -. It is not executed.")
    ],
) -> Answer:
    """List all problems of a pipeline in Python code, with their lines."""
    from pipelines.document.code.read import load_code
    from pipelines.document.local_paths import with_absolute_paths
    from pipelines.problems import PipelineError

    checks, catalog = context.session.checks, context.session.catalog
    try:
        source = load_code(file, catalog)
        document = with_absolute_paths(source.document, catalog, Path.cwd())
        problems = checks.problems_with_sources(document)
        findings = [_Finding(problem, source.line_of(problem)) for problem in problems]
    except PipelineError as error:
        findings = [_Finding(problem, problem.facts.get("line")) for problem in error.problems]
    is_valid = all(finding.problem.severity != "error" for finding in findings)
    return Answer(
        {"valid": is_valid, "problems": [_as_json(finding) for finding in findings]},
        partial(_print_findings, file, findings, is_valid),
        exit_code=0 if is_valid else 1,
    )


def _as_json(finding: _Finding) -> Mapping[str, object]:
    return {**finding.problem.to_json(), "line": finding.line}


def _print_findings(file: Path, findings: Sequence[_Finding], is_valid: bool) -> None:
    terminal = console(error=True)
    for finding in findings:
        is_error = finding.problem.severity == "error"
        severity = _("error") if is_error else _("warning")
        place = f"{file}:{finding.line}" if finding.line is not None else f"{file}"
        text = f"{place}: {severity} {_sentence(finding.problem)}"
        terminal.print(text, style="red" if is_error else "yellow", markup=False)
    can, cannot = _("The pipeline can be run."), _("The pipeline cannot be run.")
    console().print(can if is_valid else cannot)


def _sentence(problem: Problem) -> str:
    """Return the sentence of a problem; that of the code without its line, which is before it."""
    from pipelines.sentences.python_code import AT_LINE

    if problem.reason != AT_LINE.key:
        return problem.sentence
    return f"{problem.facts['why']} {problem.facts['fix']} ({problem.code})"
