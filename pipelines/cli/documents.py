"""``designer validate``, ``forecast``, ``modules``: looking at pipelines without running them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pipelines.cli.output import (
    JsonOption,
    WorkspaceOption,
    bytes_text,
    console,
    print_json,
    print_problems,
    print_table,
    seconds_text,
    told,
)

PipelineArgument = Annotated[Path, typer.Argument(help="A pipeline document (JSON).")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NODE.PARAM=VALUE", help="Change a parameter; repeatable."),
]


def validate(
    pipeline: PipelineArgument,
    workspace: WorkspaceOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say everything that is wrong with a pipeline; exit code 1 when it cannot be run."""
    from pipelines.documents.local_paths import read_document
    from pipelines.problems import PipelineError
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace))
        try:
            problems = runs.problems(read_document(pipeline, set_ or [], runs.catalog))
        except PipelineError as error:
            problems = list(error.problems)
    valid = all(problem.severity != "error" for problem in problems)
    if as_json:
        found = [problem.to_json() for problem in problems]
        print_json({"valid": valid, "problems": found})
    else:
        print_problems(problems)
        console().print("The pipeline can be run." if valid else "The pipeline cannot be run.")
    raise typer.Exit(0 if valid else 1)


def forecast(
    pipeline: PipelineArgument,
    workspace: WorkspaceOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Foresee images, classes, memory, minutes and what is reused, without running."""
    from pipelines.documents.local_paths import read_document
    from pipelines.forecasting.run_forecast import foresee
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace))
        report = foresee(runs, read_document(pipeline, set_ or [], runs.catalog))
    if as_json:
        print_json(report)
        return
    columns = ("Node", "Images", "Classes", "Size", "Memory", "Time")
    rows = map(_forecast_row, report["nodes"])
    print_table(columns, rows, "The pipeline is empty: add a module first.")
    total = seconds_text(report["totals"]["critical_path_seconds"])
    console().print(f"About {total} on this machine, {report['totals']['nodes_reused']} reused.")
    for node in report["nodes"]:
        for finding in node["findings"]:
            sentence = f"{node['node']}: {finding['message']} {finding['cure']}"
            console(error=True).print(sentence, style="yellow", markup=False)


def _forecast_row(node: dict[str, Any]) -> tuple[object, ...]:
    size, memory = node["image_size"], node["memory_bytes"]
    return (
        node["node"],
        None if node["images"] is None else f"{node['images']:,}",
        node["classes"],
        f"{size[0]} x {size[1]}" if size else None,
        None if memory is None else bytes_text(memory),
        "reused" if node["reused"] else seconds_text(node["seconds"]),
    )


def modules(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """List the modules there are, a workspace's own and installed ones among them."""
    from pipelines.user_modules.workspace_catalog import load_catalog
    from pipelines.workspace import Workspace

    catalog = load_catalog(Workspace.at(workspace))
    if as_json:
        print_json(catalog.to_json())
        return
    rows = ((each.id, each.title, each.category, each.summary) for each in catalog.modules)
    print_table(("Module", "Title", "Category", "What it does"), rows, "There are no modules.")
    for failure in catalog.failures:
        where = failure.source if failure.line is None else f"{failure.source}:{failure.line}"
        sentence = f"error {where}: {failure.message} {failure.cure}"
        console(error=True).print(sentence, style="red", markup=False)
