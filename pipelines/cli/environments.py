"""``designer environments``: packages for scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modules.files.regular_files import read_regular_text
from modules.formatting import format_bytes, format_seconds
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console, print_facts, print_table, time_text
from pipelines.errors import NotFoundError
from pipelines.sentences import _, refusals

if TYPE_CHECKING:
    from pipelines.environments.builder import BuiltEnvironment
    from pipelines.environments.definition import EnvironmentDefinition, EnvironmentRecord
    from pipelines.environments.report import (
        EnvironmentBuilt,
        EnvironmentDetail,
        EnvironmentSummary,
    )
    from pipelines.environments.verification import DamagedFile

app = typer.Typer(help="Manage environments: the packages that scripts use.", no_args_is_help=True)
EnvironmentArgument = Annotated[str, typer.Argument(help="NAME or NAME@VERSION.")]
FileOption = Annotated[
    Path | None,
    typer.Option(
        "--requirements",
        help="A requirements.txt, pyproject.toml, script with a header, or conda file.",
    ),
]
PackageOption = Annotated[
    list[str] | None, typer.Option("--package", help="Package name with versions. Repeatable.")
]
GroupOption = Annotated[
    list[str] | None, typer.Option("--group", help="Extra or dependency group in pyproject.toml.")
]
BaseOption = Annotated[
    str | None,
    typer.Option(help="designer (with its torch), isolated (empty) or image."),
]
PythonOption = Annotated[
    str | None, typer.Option(help="Python version of an isolated environment.")
]
AsOfOption = Annotated[
    str | None, typer.Option(help="Use packages as of this date, for example 2021-04-22.")
]
BuildsOption = Annotated[
    bool,
    typer.Option("--allow-builds", help="Allow builds from source, which run the package's code."),
]
ImageOption = Annotated[
    str | None, typer.Option(help="Image of podman or docker in which scripts run.")
]


@app.command("list")
@command
def list_environments(context: CommandContext) -> Answer:
    """List all versions of all environments, the designer's own first."""
    from pipelines.environments.report import environment_summary

    environments = context.session.environments
    summaries = [environment_summary(environments, record) for record in environments.all()]
    columns = (
        _("Environment"),
        _("Base"),
        _("Python"),
        _("Packages"),
        _("Size"),
        _("Last used"),
    )
    table = partial(print_table, columns, map(_row, summaries), "")
    return Answer({"environments": summaries}, table)


def _row(environment: EnvironmentSummary) -> tuple[object, ...]:
    built = environment.built
    requirements = ", ".join(environment.requirements)
    shown = requirements if len(requirements) <= 50 else f"{requirements[:47]}..."
    size = format_bytes(built.num_bytes) if built else _("not built")
    used = time_text(built.last_used if built else None)
    shown = environment.image or shown
    return (environment.reference, environment.base, environment.python, shown, size, used)


@app.command()
@command
def show(context: CommandContext, environment: EnvironmentArgument) -> Answer:
    """Show the requirements of an environment, its locked packages and its disk usage."""
    from pipelines.environments.report import environment_detail

    environments = context.session.environments
    record = environments.get(environment)
    detail = environment_detail(
        environments, record, [row.id for row in context.session.environment_use.users(record)]
    )
    return Answer(detail, partial(_print_environment, detail))


def _print_environment(environment: EnvironmentDetail) -> None:
    built = environment.built
    size = _("not built") if built is None else _size_text(built)
    facts = {
        _("Environment"): environment.reference,
        _("Base"): environment.base,
        _("Python"): environment.python,
        **_asked_for(environment),
        _("Size"): size,
        _("Used by"): ", ".join(environment.used_by) or _("no saved pipelines"),
    }
    print_facts(facts.items())
    for line in environment.left_out:
        console().print(line, style="yellow", markup=False)
    rows = (
        (package.name, package.version, _("shared") if package.shared else "")
        for package in environment.packages
    )
    if not environment.image:
        print_table((_("Package"), _("Version"), ""), rows, "")


def _asked_for(environment: EnvironmentSummary) -> dict[str, str]:
    if environment.image:
        return {_("Image"): environment.image}
    return {
        _("Requirements"): ", ".join(environment.requirements) or _("none"),
        _("As of"): environment.as_of or _("newest"),
    }


@app.command()
@command
def resolve(
    context: CommandContext,
    requirements: FileOption = None,
    package: PackageOption = None,
    group: GroupOption = None,
    base: BaseOption = None,
    python: PythonOption = None,
    as_of: AsOfOption = None,
    allow_builds: BuildsOption = False,
    image: ImageOption = None,
) -> Answer:
    """Resolve package versions and print the lock without saving or building it."""
    from pipelines.environments.report import environment_resolution

    definition = _definition(requirements, package, group, base, python, as_of, allow_builds, image)
    resolution = context.session.environments.resolve(definition)
    content = environment_resolution(resolution.definition, resolution.lock)
    return Answer(content, resolution.lock or _("No packages besides the base are required."))


@app.command()
@command
def build(
    context: CommandContext,
    name: Annotated[
        str, typer.Argument(help="Name of the environment, or NAME@VERSION of an existing one.")
    ],
    requirements: FileOption = None,
    package: PackageOption = None,
    group: GroupOption = None,
    base: BaseOption = None,
    python: PythonOption = None,
    as_of: AsOfOption = None,
    allow_builds: BuildsOption = False,
    image: ImageOption = None,
) -> Answer:
    """Build an environment. If packages or an image are given, add a new version first."""
    environments = context.session.environments
    if requirements is None and not package and image is None:
        if environments.find(name) is None:
            raise NotFoundError(refusals.NO_PACKAGES_GIVEN, environment=name)
        record = environments.get(name)
    else:
        environments.require_name(name)
        definition = _definition(
            requirements, package, group, base, python, as_of, allow_builds, image
        )
        record = environments.keep(name, environments.resolve(definition, _print_line))
    built = environments.build(record, _print_line)
    return Answer(_built_json(record, built), _built_text(built))


def _definition(
    file: Path | None,
    packages: Sequence[str] | None,
    groups: Sequence[str] | None,
    base: str | None,
    python: str | None,
    as_of: str | None,
    allow_builds: bool,
    image: str | None,
) -> EnvironmentDefinition:
    """Return the definition from the file and the options, which take precedence."""
    from pipelines.environments.definition import EnvironmentDefinition
    from pipelines.environments.formats import read_definition, require_base

    read = EnvironmentDefinition()
    if file is not None:
        read = read_definition(_text_of(file), file.name, groups or ())
        for line in read.left_out:
            console(error=True).print(line, style="yellow", markup=False)
    if base is None and image is not None:
        base = "image"
    changes = {"base": base and require_base(base), "python": python, "as_of": as_of}
    chosen = {name: value for name, value in changes.items() if value is not None}
    requirements = (*read.requirements, *(packages or ()))
    return read.changed(
        requirements=requirements, allow_builds=allow_builds, image=image or "", **chosen
    )


def _text_of(file: Path) -> str:
    try:
        return read_regular_text(file, "utf-8", errors="replace")
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotFoundError(refusals.FILE_UNREADABLE, file=file, error=reason) from error


def _print_line(line: str) -> None:
    console(error=True).print(line, style="dim", markup=False)


def _built_json(record: EnvironmentRecord, built: BuiltEnvironment) -> dict[str, object]:
    numbers = {name: value for name, value in asdict(built).items() if name != "folder"}
    return {**numbers, "name": record.name, "version": record.version}


def _built_text(built: BuiltEnvironment) -> str:
    size = _size_text(built)
    if built.was_cached:
        return _("{name} is already built: {size}.", name=built.name, size=size)
    duration = format_seconds(built.seconds)
    return _("Built {name} in {duration}: {size}.", name=built.name, duration=duration, size=size)


def _size_text(built: BuiltEnvironment | EnvironmentBuilt) -> str:
    return _(
        "{size}, {own} not shared",
        size=format_bytes(built.num_bytes),
        own=format_bytes(built.own_bytes),
    )


@app.command()
@command
def verify(context: CommandContext, environment: EnvironmentArgument) -> Answer:
    """Verify all installed files. A damaged environment is rebuilt at its next use."""
    environments = context.session.environments
    record = environments.get(environment)
    damages = environments.verify(record)
    is_built = environments.marker(record) is not None
    return Answer(
        {"built": is_built, "damages": damages},
        partial(_print_damages, record, damages, is_built),
        exit_code=1 if damages else 0,
    )


def _print_damages(
    record: EnvironmentRecord, damages: Sequence[DamagedFile], is_built: bool
) -> None:
    for damage in damages[:10]:
        console().print(
            f"{damage.kind} {damage.file} ({damage.package})", style="red", markup=False
        )
    if len(damages) > 10:
        console().print(_("and {count} more", count=len(damages) - 10), style="red")
    name = record.reference
    text = _("{name} is intact.", name=name) if is_built else _("{name} is not built.", name=name)
    if damages:
        command = f"designer environments build {name}"
        text = _("It will be rebuilt at its next use, or now with `{command}`.", command=command)
    console().print(text, markup=False)


@app.command()
@command
def export(
    context: CommandContext,
    environment: EnvironmentArgument,
    form: Annotated[
        str, typer.Option("--format", help="lock, requirements, pyproject or conda.")
    ] = "lock",
    output: Annotated[
        Path | None, typer.Option(help="Output file. Default: standard output.")
    ] = None,
) -> Answer:
    """Print the lock, or the requirements in the format of another tool."""
    from pipelines.environments.formats import exported

    text = exported(context.session.environments.get(environment), form)
    if output is None:
        return Answer({"format": form, "text": text}, partial(print, text, end=""))
    output.write_text(text, encoding="utf-8")
    return Answer({"format": form, "file": str(output)}, _("Written to {output}.", output=output))


@app.command()
@command
def remove(
    context: CommandContext,
    environment: EnvironmentArgument,
    folder_only: Annotated[
        bool,
        typer.Option("--folder-only", help="Delete only its files. It is rebuilt at its next use."),
    ] = False,
    even_if_used: Annotated[
        bool, typer.Option("--even-if-used", help="Remove it even if saved pipelines use it.")
    ] = False,
) -> Answer:
    """Remove a version and its built files. Runs that used it keep its lock."""
    record = context.session.environments.get(environment)
    use = context.session.environment_use
    if folder_only:
        freed = use.free(record)
        return Answer({"freed_bytes": freed}, _("Freed {size}.", size=format_bytes(freed)))
    freed = use.remove(record, even_if_used=even_if_used)
    return Answer(
        {"removed": record.reference, "freed_bytes": freed},
        _("Removed {name}. Freed {size}.", name=record.reference, size=format_bytes(freed)),
    )
