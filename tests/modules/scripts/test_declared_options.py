"""The options of a script are read from its text, whatever that holds; nothing of it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.scripts.declared_options import MOST_OPTIONS, declared_options, usual_arguments

SCRIPT = """
import argparse

def build(parser):
    parser.add_argument("data", metavar="DIR", help="path to the images")
    parser.add_argument("-a", "--arch", default="resnet18", choices=names())
    parser.add_argument("--epochs", default=90, type=int, help="how many")
    parser.add_argument("--lr", "--learning-rate", default=0.1, type=float)
    parser.add_argument("--pretrained", dest="pretrained", action="store_true")
    parser.add_argument("--output_dir", default="./out", help=f"{where}")
    parser.add_argument("--seed", default=None, type=int)
    parser.add_argument("--workers", default=os.cpu_count())
    parser.add_argument("--name", required=True)
    parser.add_argument(*others)
    parser.add_argument()
"""


def test_options_are_read_with_defaults_and_help() -> None:
    options = {each.name: each for each in declared_options(SCRIPT)}
    assert list(options) == [
        *("data", "--arch", "--epochs", "--lr", "--pretrained"),
        *("--output_dir", "--seed", "--workers", "--name"),
    ]
    assert (options["--epochs"].default, options["--epochs"].help) == (90, "how many")
    assert options["data"].is_required
    assert options["--name"].is_required
    assert options["--pretrained"].is_switch
    assert options["--workers"].default is None


def test_arguments_name_defaults_and_the_folders_of_the_step() -> None:
    assert usual_arguments(declared_options(SCRIPT)) == [
        *("{{inputs.images}}", "--arch=resnet18", "--epochs=90", "--lr=0.1"),
        *("--output_dir=./outputs", "--name=NAME"),
    ]


def test_nothing_of_the_script_is_run(tmp_path: Path) -> None:
    place = tmp_path / "ran"
    harm = f"open({str(place)!r}, 'w')"
    assert declared_options(f"{harm}\np.add_argument('--x', default={harm})")[0].default is None
    assert not place.exists()


@pytest.mark.parametrize("text", ["def", "print 'old'", "a\0b", "(" * 5000])
def test_what_is_no_python_is_refused(text: str) -> None:
    with pytest.raises(SyntaxError):
        declared_options(text)


def test_there_is_a_most() -> None:
    calls = "\n".join(f"p.add_argument('--o{number}')" for number in range(MOST_OPTIONS + 50))
    assert len(declared_options(calls)) == MOST_OPTIONS
