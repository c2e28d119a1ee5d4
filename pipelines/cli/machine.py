"""``designer runner`` and ``designer doctor``: the process behind runs, and this machine."""

from __future__ import annotations

import typer

from pipelines.cli.output import JsonOption, WorkspaceOption, console, print_json, told

runner_app = typer.Typer(help="The process that executes runs.", no_args_is_help=True)


@runner_app.command()
def start(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Start the runner, torch loaded, so that the next run begins at once."""
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        Runs(Workspace.at(workspace)).ensure_runner(warm=True)
    status(workspace, as_json)


@runner_app.command()
def stop(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """End the runner, and with it whatever it executes; runs can be resumed."""
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace))
        stopped = runs.stop_runner(for_good=True)
        runs.refresh_without_starting()
    if as_json:
        print_json({"stopped": stopped})
    else:
        console().print("The runner has ended." if stopped else "There was no runner.")


@runner_app.command()
def status(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Whether a runner is there, and what it has to do."""
    from pipelines.execution.heartbeat import frozen_runner
    from pipelines.execution.runner_lock import current_runner
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace))
        info = current_runner(runs.workspace)
        unfinished = runs.store.unfinished()
        frozen = frozen_runner(runs.workspace)
    if as_json:
        pid = info.pid if info else None
        facts = {"running": info is not None, "pid": pid, "unfinished_runs": unfinished}
        print_json({**facts, "problem": frozen})
        return
    if info is None:
        console().print("No runner: the next run starts one.")
    else:
        console().print(f"Runner {info.pid} has {len(unfinished)} unfinished runs.")
        if frozen is not None:
            console().print(frozen, style="yellow", markup=False)


def doctor(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """What this machine offers, what is missing, and how to get it."""
    from pipelines.doctor import examine
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        findings = examine(Workspace.at(workspace))
    healthy = all(finding.ok for finding in findings)
    if as_json:
        print_json({"healthy": healthy, "findings": [each.to_json() for each in findings]})
    else:
        for each in findings:
            mark = "[green]ok[/]     " if each.ok else "[red]missing[/]"
            console().print(f"{mark} {each.name:<14} ", end="")
            console().print(f"{each.found} {each.cure}".rstrip(), markup=False)
    raise typer.Exit(0 if healthy else 1)
