"""``designer environments``, with tiny wheels in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.document.document import parse_document
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.pipelines.environments.toy_index import offer_wheels

Designer = Callable[..., Result]


@pytest.fixture
def designer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Designer:
    """The command in a new workspace."""
    offer_wheels(tmp_path / "wheels", monkeypatch)

    def run(*arguments: str | Path) -> Result:
        command = ["environments", *map(str, arguments), "--workspace", str(tmp_path / "ws")]
        return CliRunner().invoke(app, command)

    return run


def answered(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_an_environment_from_a_file_is_kept_built_shown_and_removed(
    designer: Designer, tmp_path: Path
) -> None:
    listed = tmp_path / "requirements.txt"
    listed.write_text("needy\n", encoding="utf-8")
    built = answered(designer("build", "mine", "--requirements", listed, "--json"))
    assert (built["name"], built["version"], built["was_cached"]) == ("mine", 1, False)
    assert "is already built" in designer("build", "mine@1").stdout
    shown = answered(designer("show", "mine", "--json"))
    own = [package["name"] for package in shown["packages"] if not package["shared"]]
    assert own == ["needy", "tiny"]
    assert "mine@1" in designer("list").stdout
    assert "mine@1 is intact" in designer("verify", "mine").stdout
    assert designer("export", "mine", "--format", "requirements").stdout == "needy\n"
    assert answered(designer("remove", "mine", "--json"))["removed"] == "mine@1"
    assert "Environment 'mine' not found" in designer("show", "mine").stderr


def test_a_changed_list_is_the_next_version_and_the_same_list_is_none(designer: Designer) -> None:
    for package, version in (("tiny<2", 1), ("tiny<2", 1), ("tiny", 2)):
        built = answered(designer("build", "mine", "--package", package, "--json"))
        assert built["version"] == version
    answered(designer("remove", "mine@2", "--json"))
    again = answered(designer("build", "mine", "--package", "tiny", "--json"))
    assert again["version"] == 3


def test_resolve_keeps_nothing(designer: Designer) -> None:
    output = designer("resolve", "--package", "needy", "--base", "isolated")
    assert output.stdout.startswith("needy==1.0")
    assert [
        environment["name"] for environment in answered(designer("list", "--json"))["environments"]
    ] == [
        "designer",
        "mpi",
        "pytorch-lightning",
        "tensorflow",
        "transformers",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build", "none"], "needs packages"),
        (["build", "designer-own", "--package", "tiny"], "is reserved"),
        (["build", "mpi", "--package", "tiny"], "is reserved"),
        (["build", "azureml-mine", "--package", "tiny"], "is reserved"),
        (["build", "Not a name", "--package", "tiny"], "Invalid environment name"),
        (["build", "mine", "--image", "a b"], "Invalid image reference"),
        (["build", "mine", "--requirements", "none.txt"], "Cannot read none.txt"),
        (["resolve", "--package", "-r /etc/hostname"], "is an installer option"),
        (["resolve", "--package", "tiny", "--as-of", "yesterday"], "Invalid date"),
        (["resolve", "--package", "tiny", "--as-of", "9999-01-01"], "is in the future"),
        (["resolve", "--package", "tiny", "--base", "alpine"], "Choose one of designer, isolated"),
        (["resolve", "--package", "tiny", "--python", "2.6"], "the base Isolated"),
        (
            ["resolve", "--package", "tiny", "--python", "2.6", "--base", "isolated"],
            "Python 2.6 was not found",
        ),
        (["remove", "designer"], "cannot be deleted"),
        (["export", "designer", "--format", "egg"], "Choose one of lock"),
        (["show", "mine@x"], "not found"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    designer: Designer, arguments: list[str], said: str
) -> None:
    refused = designer(*arguments)
    assert refused.exit_code == 1
    assert said in " ".join(refused.stderr.split())


def test_damage_is_found_and_mended(designer: Designer) -> None:
    built = answered(designer("build", "mine", "--package", "tiny", "--json"))
    [file] = Path(built["python"]).parents[1].glob("lib/python3*/site-packages/tiny.py")
    file.chmod(0o644)
    file.write_text("changed", encoding="utf-8")
    output = designer("verify", "mine")
    assert output.exit_code == 1
    assert "changed tiny.py (tiny)" in output.stdout
    assert answered(designer("build", "mine", "--json"))["was_cached"] is False
    assert designer("verify", "mine").exit_code == 0


def test_one_that_a_saved_pipeline_uses_stays(designer: Designer, tmp_path: Path) -> None:
    answered(designer("build", "mine", "--package", "tiny", "--json"))
    node = {"id": "n", "module": "any", "run_settings": {"environment": "mine@1"}}
    content = {"format": "pipeline-designer/2", "id": "p", "name": "P", "nodes": [node]}
    with WorkspaceSession(Workspace.at(tmp_path / "ws")) as session:
        session.pipelines.create(parse_document(content))
    assert "environment of 1 saved pipeline" in designer("remove", "mine").stderr
    assert designer("remove", "mine", "--folder-only").exit_code == 0
    assert designer("remove", "mine", "--even-if-used").exit_code == 0
