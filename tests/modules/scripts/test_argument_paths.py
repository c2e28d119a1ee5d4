"""Paths in arguments: those outside the allowed folders are refused, all else is left alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.errors import SourceNotAllowedError
from modules.scripts.argument_paths import paths_in, require_paths_allowed
from tests.modules.scripts.conftest import ScriptStep

PRINT = "import sys; print(sys.argv)"


@pytest.mark.parametrize(
    "text",
    [
        "/etc/ssl",
        "--data=/etc/ssl",
        "data.root=/etc/ssl",
        "-I/etc/ssl",
        "@/etc/ssl",
        "a.txt:/etc/ssl",
        "file:///etc/ssl",
        "['/etc/ssl']",
        "~root/.ssh",
        "..",
        "../../database",
        "outputs/../../../x",
        "{{inputs.images}}/../../x",
        "$HOME/../../etc",
    ],
)
def test_a_path_outside_the_roots_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(SourceNotAllowedError) as raised:
        require_paths_allowed([text], [tmp_path], "arguments")
    assert raised.value.parameter == "arguments"
    assert text in raised.value.message


@pytest.mark.parametrize(
    "text",
    [
        "--epochs=3",
        "0.01",
        "./outputs",
        "outputs/../logs",
        "{{inputs.images}}/train/a",
        "--out={{outputs.model}}",
        "$DESIGNER_INPUT_IMAGES/train/a",
        "https://example.org/a/b",
        "s3://bucket/a",
        "/predict",
        "--log=/dev/null",
        "1/2",
        "a:b",
        "~10",
        "",
    ],
)
def test_what_is_no_path_outside_is_taken(text: str, tmp_path: Path) -> None:
    require_paths_allowed([text], [tmp_path], "arguments")


def test_a_path_below_a_root_is_taken_and_a_link_out_of_it_is_not(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    require_paths_allowed([f"--data={root}/images"], [root], "arguments")
    with pytest.raises(SourceNotAllowedError):
        require_paths_allowed([f"--data={root}/link/x"], [root], "arguments")


def test_long_arguments_are_read_in_linear_time() -> None:
    assert len(list(paths_in("/a:" * 100_000))) == 100_000


def test_a_step_refuses_paths_that_values_bring_in(step: ScriptStep, tmp_path: Path) -> None:
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({"pipeline_parameters": {"data": "/etc/ssl"}}, ["{{parameters.data}}"]),
        ({"variables": {"DATA": "/etc/ssl"}}, ["--data=$DATA"]),
    ]
    for settings, arguments in cases:
        with pytest.raises(SourceNotAllowedError, match="/etc/ssl"):
            step.run(
                PRINT, arguments=arguments, settings={"allowed_roots": (tmp_path,), **settings}
            )
    roots = {"allowed_roots": (tmp_path,)}
    with pytest.raises(SourceNotAllowedError, match="The path '/etc/hostname'") as raised:
        step.run(PRINT, command="/bin/cat /etc/hostname", settings=roots)
    assert raised.value.parameter == "command"
