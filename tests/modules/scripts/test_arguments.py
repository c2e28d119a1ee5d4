"""What is filled into arguments and commands, and what is refused there."""

from __future__ import annotations

import pytest

from modules.errors import InvalidScriptError
from modules.scripts.arguments import (
    Placeholder,
    PlaceValues,
    command_words,
    places_in,
    shell_operators,
    with_variables,
)

VALUES = PlaceValues({"images": "/in"}, {"model": "/out/model.pt"}, {"epochs": "5"})


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("--data={{inputs.images}}/train", "--data=/in/train"),
        ("${{ outputs.model }}", "/out/model.pt"),
        ("{{parameters.epochs}}{{parameters.epochs}}", "55"),
        ("{not: 'a place'} $HOME; rm -rf *", "{not: 'a place'} $HOME; rm -rf *"),
    ],
)
def test_places_are_filled_and_all_else_stays(text: str, filled: str) -> None:
    assert VALUES.fill([text]) == [filled]


def test_a_place_of_nothing_linked_names_what_there_is() -> None:
    with pytest.raises(
        InvalidScriptError, match=r"nothing is connected to it.*inputs\.images"
    ) as e:
        VALUES.fill(["{{inputs.more_images}}"])
    assert e.value.parameter == "arguments"
    with pytest.raises(
        InvalidScriptError, match=r"parameters\.lr was not found.*parameters\.epochs"
    ):
        VALUES.fill(["{{parameters.lr}}"])


def test_braces_that_mean_nothing_are_refused() -> None:
    assert places_in(["{{inputs.images}} {{outputs.x}}"]) == {
        Placeholder("inputs", "images"),
        Placeholder("outputs", "x"),
    }
    with pytest.raises(InvalidScriptError, match="Invalid placeholder"):
        places_in(["{{input.images}}"])


def test_variables_are_filled_where_they_are_known() -> None:
    known = {"LOCAL_RANK": "1", "RANK": "3"}
    assert with_variables("$RANK ${LOCAL_RANK} $LOCAL_RANK_X ^a$ $HOME", known) == (
        "3 1 $LOCAL_RANK_X ^a$ $HOME"
    )


def test_a_command_is_split_as_a_shell_would_and_never_given_to_one() -> None:
    assert command_words("python train.py --name 'a b' ; rm x") == [
        *("python", "train.py", "--name", "a b", ";", "rm", "x")
    ]
    for text, said in (("python 'train.py", "No closing quotation"), ("  ", "is empty")):
        with pytest.raises(InvalidScriptError, match=said):
            command_words(text)


@pytest.mark.parametrize(
    ("command", "operators"),
    [
        ("python a.py | tee log", ["|"]),
        ("python a.py>log 2>&1", [">", ">&"]),
        ("python a.py && python b.py; ls", ["&&", ";"]),
        ("python a.py --text 'a | b' \"c > d\"", []),
        ("sh -c 'python a.py | tee log'", []),
        ("python a.py --data=/images --rate 1e-3 #1", []),
        ("python 'a.py", []),
    ],
)
def test_what_only_a_shell_reads_is_found(command: str, operators: list[str]) -> None:
    assert shell_operators(command) == operators
