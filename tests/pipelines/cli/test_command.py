"""What the decorator gives every command: its options, its errors told, one answer of two."""

from __future__ import annotations

import json
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner, Result

from pipelines.cli.command import Answer, CommandContext, command

app = typer.Typer()


@app.command()
@command
def halve(
    context: CommandContext,
    number: Annotated[int, typer.Argument(help="An even number.")],
    times: Annotated[int, typer.Option(help="How often.")] = 1,
) -> Answer:
    """Halve a number."""
    if number % 2:
        raise ValueError(f"{number} is odd: give an even number.")
    half = number // 2**times
    return Answer({"half": half, "where": context.workspace.root.name}, f"[{half}]", half % 2)


@app.command()
@command
def silent(_context: CommandContext) -> Answer:
    """Call only what is asked for."""

    def unwanted() -> None:
        raise AssertionError("nobody asked")

    return Answer(lambda: {"asked": True}, unwanted)


def answered(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_people_get_text_as_it_is() -> None:
    done = answered("halve", "8", "--times", "2")
    assert (done.exit_code, done.stdout) == (0, "[2]\n")


def test_programs_get_one_object_and_the_exit_code() -> None:
    done = answered("halve", "2", "--json", "--workspace", "/there/here")
    assert done.exit_code == 1
    assert json.loads(done.stdout) == {"half": 1, "where": "here"}


@pytest.mark.parametrize("as_json", [False, True])
def test_errors_are_told(as_json: bool) -> None:
    done = answered("halve", "3", *["--json"] * as_json)
    assert done.exit_code == 1
    assert done.stderr == "error 3 is odd: give an even number.\n"
    said = (
        json.loads(done.stdout)["error"]["message"] if as_json else "3 is odd: give an even number."
    )
    assert said == "3 is odd: give an even number."


def test_only_what_is_asked_for_is_called() -> None:
    assert json.loads(answered("silent", "--json").stdout) == {"asked": True}


def test_help_shows_own_arguments_then_the_shared_options() -> None:
    said = answered("halve", "--help").stdout
    assert "Halve a number." in said
    assert said.index("An even number.") < said.index("--times") < said.index("--workspace")
    assert said.index("--workspace") < said.index("--json")
