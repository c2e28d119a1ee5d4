"""``designer schedules``: published pipelines that run at planned times."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.documents import ParamOption
from pipelines.cli.output import confirm, console, print_facts, print_table
from pipelines.cli.reports import refused_as_report
from pipelines.errors import RefusedError
from pipelines.sentences import _, scheduling

if TYPE_CHECKING:
    from pipelines.automation.schedules import Schedule, Schedules
    from pipelines.automation.settings import ScheduleSettings

app = typer.Typer(help="Run published pipelines at planned times.", no_args_is_help=True)
NameArgument = Annotated[str, typer.Argument(help="Name of the schedule.")]


def _schedules(context: CommandContext) -> Schedules:
    from pipelines.automation.schedules import Schedules

    return Schedules(context.refreshed_runs)


@app.command()
@command
def add(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help="Name of the new schedule.")],
    published: Annotated[str, typer.Argument(help="Name of the published pipeline.")],
    cron: Annotated[
        str | None, typer.Option(help="Minute, hour, day, month, weekday, such as '0 8 * * 1-5'.")
    ] = None,
    every: Annotated[float | None, typer.Option(help="Interval in minutes.")] = None,
    when: Annotated[
        str | None,
        typer.Option(
            help="dataset:NAME or a folder: run when it has changed and is then stable. --every is "
            "the interval of the looks, by default 5 minutes."
        ),
    ] = None,
    zone: Annotated[
        str | None, typer.Option(help="Time zone, such as Europe/Berlin. Default: this machine's.")
    ] = None,
    param: ParamOption = None,
    version: Annotated[int | None, typer.Option(help="Version. Default: the newest.")] = None,
    missed: Annotated[
        str, typer.Option(help="For times in which nothing ran: skip, once or all (up to 10).")
    ] = "once",
    overlap: Annotated[
        str,
        typer.Option(help="If the previous run is still running: skip, queue, or cancel that run."),
    ] = "skip",
    jitter: Annotated[int, typer.Option(help="Largest random delay in seconds.")] = 0,
    until: Annotated[str | None, typer.Option(help="Last day or time, such as 2027-01-31.")] = None,
) -> Answer:
    """Add a schedule for a published pipeline, and show its next times."""
    with refused_as_report(as_json=context.as_json):
        from pipelines.document.parameter_values import assigned_values
        from pipelines.runs.published_runs import PublishedRuns

        document = PublishedRuns(context.runs).document(published, version)
        values = assigned_values(document, param or ())
        settings = _settings(
            {"published": published, "version": version, "parameters": values},
            {"cron": cron, "every_minutes": every, "watched": when},
            {"missed": missed, "overlap": overlap, "jitter_seconds": jitter},
            zone,
            until,
        )
        schedule = _schedules(context).add(name, settings)
    return _shown(schedule)


def _settings(
    pipeline: dict[str, object],
    trigger: dict[str, object],
    policies: dict[str, object],
    zone: str | None,
    until: str | None,
) -> ScheduleSettings:
    """Return checked settings; raises ``RefusedError``."""
    from pydantic import ValidationError

    from pipelines.automation.settings import ScheduleSettings
    from pipelines.automation.times import local_zone, zone_of
    from pipelines.automation.watched_source import absolute_source

    if sum(trigger[name] is not None for name in ("cron", "every_minutes", "watched")) == 0 or (
        trigger["cron"] is not None and (trigger["every_minutes"] or trigger["watched"])
    ):
        raise RefusedError(scheduling.ONE_TRIGGER)
    if trigger["watched"] is not None:
        trigger["watched"] = absolute_source(str(trigger["watched"]), Path.cwd())
        trigger["every_minutes"] = trigger["every_minutes"] or 5
    zone = zone or local_zone()
    last = None if until is None else _last_time(until, str(zone_of(zone)))
    try:
        return ScheduleSettings.model_validate(
            {**pipeline, **trigger, **policies, "zone": zone, "until": last}
        )
    except ValidationError as error:
        first = error.errors()[0]
        option = str(first["loc"][-1]) if first["loc"] else ""
        raise RefusedError(scheduling.NO_VALUE, option=option, why=first["msg"]) from None


def _last_time(text: str, zone: str) -> float:
    from pipelines.automation.times import zone_of

    try:
        moment = datetime.fromisoformat(text)
        if len(text) == len("2027-01-31"):
            moment = moment.replace(hour=23, minute=59, second=59)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone_of(zone))
    except ValueError:
        raise RefusedError(scheduling.NO_UNTIL, text=text[:60]) from None
    if moment <= datetime.now(moment.tzinfo):
        raise RefusedError(scheduling.NO_UNTIL, text=text[:60])
    return moment.timestamp()


def _shown(schedule: Schedule) -> Answer:
    from pipelines.automation.schedules import to_json

    return Answer(to_json(schedule), partial(_print_one, schedule))


def _print_one(schedule: Schedule) -> None:
    settings = schedule.settings
    print_facts(
        [
            (_("Schedule"), schedule.name),
            (_("Published pipeline"), settings.published),
            (_("Trigger"), _trigger(settings)),
            (_("State"), schedule.paused or _("enabled")),
        ]
    )
    upcoming = ((_local(planned, settings.zone),) for planned in schedule.next_times)
    columns = (_("Next times ({zone})", zone=settings.zone),)
    none = _("It runs when its source has changed.") if settings.watched else _("No next times.")
    print_table(columns, upcoming, none)
    rows = (
        (
            _local(firing.planned, settings.zone),
            firing.status,
            firing.run_id,
            firing.why,
        )
        for firing in schedule.firings
    )
    columns_of_firings = (_("Planned"), _("Status"), _("Run"), _("Reason"))
    print_table(columns_of_firings, rows, _("It has not fired yet."))


def _trigger(settings: ScheduleSettings) -> str:
    if settings.cron is not None:
        return f"{settings.cron} ({settings.zone})"
    minutes = settings.every_minutes
    if settings.watched is not None:
        return _("change of {source}", source=settings.watched)
    return _("every {minutes:g} {minutes:minute|minutes}", minutes=minutes)


def _local(seconds: int, zone: str) -> str:
    from pipelines.automation.times import zone_of

    return datetime.fromtimestamp(seconds, zone_of(zone)).strftime("%Y-%m-%d %H:%M %Z")


@app.command("list")
@command
def list_schedules(context: CommandContext) -> Answer:
    """List the schedules and their next times."""
    from pipelines.automation.schedules import to_json

    schedules = _schedules(context).all()
    content = {"schedules": [to_json(schedule) for schedule in schedules]}
    return Answer(content, partial(_print_all, schedules))


def _print_all(schedules: Sequence[Schedule]) -> None:
    rows = (
        (
            schedule.name,
            schedule.settings.published,
            _trigger(schedule.settings),
            schedule.paused or "",
            _local(schedule.next_times[0], schedule.settings.zone) if schedule.next_times else "",
            schedule.firings[0].status if schedule.firings else "",
        )
        for schedule in schedules
    )
    columns = (_("Schedule"), _("Pipeline"), _("Trigger"), _("Paused"), _("Next"), _("Last"))
    print_table(columns, rows, _("No schedules yet."))


@app.command()
@command
def show(context: CommandContext, name: NameArgument) -> Answer:
    """Show the next five times and the newest firings of a schedule."""
    return _shown(_schedules(context).find(name))


@app.command()
@command
def pause(context: CommandContext, name: NameArgument) -> Answer:
    """Pause a schedule."""
    return _shown(_schedules(context).pause(name))


@app.command()
@command
def resume(context: CommandContext, name: NameArgument) -> Answer:
    """Resume a schedule. Times that have passed meanwhile are not made up for."""
    return _shown(_schedules(context).resume(name))


@app.command()
@command
def remove(
    context: CommandContext,
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> Answer:
    """Remove a schedule. Its runs stay."""
    schedules = _schedules(context)
    schedules.find(name)
    confirm(_("Remove {name}?", name=name), yes=yes, as_json=context.as_json)
    schedules.remove(name)
    return Answer({"name": name, "removed": True}, _("{name} was removed.", name=name))


@app.command()
@command
def lines(context: CommandContext) -> Answer:
    """Print lines for cron and systemd that keep the runner after a restart of the machine.

    Schedules fire only while a runner lives. The app and every command start one if needed.
    """
    from pipelines.automation.start_lines import start_lines

    content = start_lines(context.workspace.root)
    return Answer(content, partial(_print_lines, content))


def _print_lines(content: dict[str, str]) -> None:
    console().print(content["cron"], markup=False)
    console().print(content["systemd"], markup=False)
