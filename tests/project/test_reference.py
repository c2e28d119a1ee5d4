"""The reference names everything there is: it is made from the program, and held against it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

import designer_app.command  # adds `designer app` to the program
from modules.artifacts import AnyDirectory, Artifact, ImageDirectory
from modules.catalog import Catalog, builtin_catalog
from modules.catalog_spec import catalog_spec
from modules.context import Context
from modules.datasets.import_images import import_images
from modules.image_directories.convert_to_image_directory import convert_to_image_directory
from pipelines.cli import app
from pipelines.problems import error_reference
from pipelines.reference.output_files import FILES, OUTPUT_FILES
from pipelines.reference.pages import ORIGINALS, SECTIONS, CommandFacts, reference, table
from tests.json_values import as_json

PROGRAM = Path(sys.executable).with_name("designer")
BAR = re.compile(r"(?<!\\)\|")


def printed(*arguments: str, workspace: Path, seed: str = "0") -> str:
    """What the command prints, from a process with its own order of sets."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [str(PROGRAM), "reference", *arguments, "--workspace", str(workspace)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The whole reference as the program prints it."""
    return printed(workspace=tmp_path_factory.mktemp("empty"))


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return builtin_catalog()


def headings(markdown: str, level: int = 2) -> list[str]:
    return re.findall(rf"^{'#' * level} (.+)$", markdown, re.MULTILINE)


def test_every_module_port_and_parameter_is_in_it(whole: str, catalog: Catalog) -> None:
    parts = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |^# )", whole, re.MULTILINE | re.DOTALL))
    for module in as_json(catalog_spec(catalog))["modules"]:
        part = parts[module["title"]]
        assert f"`{module['id']}`" in part
        for each in (*module["inputs"], *module["outputs"]):
            assert f"| `{each['id']}` | `{each['type']}` |" in part
        for each in module["parameters"]:
            (row,) = [line for line in part.splitlines() if f"| `{each['id']}` |" in line]
            cells = [cell.strip() for cell in BAR.split(row)]
            default = each["default"] if isinstance(each["default"], str) else None
            if each["code"] and default:
                default = default.splitlines()[0]
            assert f"`{default or json.dumps(each['default'])}`" in cells
            assert each["unit"] in cells
            assert all(f"`{choice}`" in row for choice in each["choices"] or ())


def test_pages_of_the_original_are_named(whole: str, catalog: Catalog) -> None:
    assert {each.id for each in catalog.modules} >= ORIGINALS
    assert whole.count('\nBased on "') == len(ORIGINALS)


def test_every_error_is_in_it(whole: str) -> None:
    for each in error_reference():
        assert f"| `{each['code']}` | {each['name']} | {each['when']} |" in whole


def test_every_command_and_option_is_in_it(whole: str) -> None:
    commands = list(leaves(typer.main.get_command(app), "designer"))
    assert ("designer app", designer_app.command.app.__doc__) in [(w, c.help) for w, c in commands]
    for words, command in commands:
        (heading,) = [h for h in headings(whole) if re.match(rf"`{words}(?![ a-z-]*[a-z])", h)]
        part = whole.split(f"## {heading}\n")[1].split("\n## ")[0]
        for parameter in command.params:
            assert all(each.strip("_") in part.lower() for each in parameter.opts), (words, part)


def leaves(command: Any, words: str) -> list[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        return [(words, command)]
    return [
        leaf
        for name, child in command.commands.items()
        for leaf in leaves(child, f"{words} {name}")
    ]


def test_every_port_type_has_its_files(whole: str, catalog: Catalog) -> None:
    used = {port.type.__name__ for module in catalog.modules for port in module.outputs}
    assert used <= set(OUTPUT_FILES)
    for rows in FILES.values():
        assert all(f"| `{name}` |" in whole for name, _ in rows)


def test_outputs_hold_the_files_it_names(tmp_path: Path) -> None:
    context = Context(tmp_path / "store" / "a", cache_dir=tmp_path, datasets_dir=tmp_path)
    parameters = import_images.parameters_type.model_validate(
        {"source": "sample:shapes?classes=2&images=8&size=16"}
    )
    dataset = import_images.run({}, parameters, context)["dataset"]
    later = Context(tmp_path / "store" / "b")
    outputs: dict[str, Artifact] = convert_to_image_directory.run(
        {"input_dataset": dataset}, convert_to_image_directory.parameters_type(), later
    )
    for artifact in (dataset, *outputs.values()):
        named = {name.rstrip("/") for name, _ in OUTPUT_FILES[type(artifact).__name__]}
        assert {path.name for path in artifact.path.iterdir()} <= named
    assert {type(dataset), *map(type, outputs.values())} == {AnyDirectory, ImageDirectory}


def test_tables_are_tables(whole: str) -> None:
    for block in re.findall(r"(?:^\|.*\n)+", whole, re.MULTILINE):
        lines = block.splitlines()
        assert set(lines[1]) <= set("|- ")
        widths = {len(BAR.split(line)) for line in lines}
        assert len(widths) == 1, block


def test_cells_cannot_break_out() -> None:
    text = table(("a|b",), [("x | y\nz",), ("<script> `<kept>`",)])
    assert text.splitlines() == [
        "| a\\|b |",
        "| --- |",
        "| x \\| y z |",
        "| &lt;script> `<kept>` |",
    ]


def test_parts_make_the_whole(whole: str, tmp_path: Path) -> None:
    assert headings(whole, 1) == [name.capitalize() for name in SECTIONS]
    answer = json.loads(printed("--json", workspace=tmp_path, seed="1"))
    assert "\n".join(answer[name] for name in SECTIONS) == whole
    assert printed("errors", workspace=tmp_path, seed="2") == answer["errors"]


def test_users_modules_are_in_it(tmp_path: Path) -> None:
    from tests import toy

    toy.install(tmp_path / "modules")
    assert "## Factorial" in printed("modules", workspace=tmp_path)


def test_it_is_made_without_torch(catalog: Catalog) -> None:
    facts = CommandFacts("designer x", "Do x.", (), (("`--y`", "", "Why."),))
    assert "Do x." in reference(catalog, [facts], "commands")
    program = (
        "import sys; from pipelines.cli import app\n"
        "try: app(['reference'])\n"
        "except SystemExit: pass\n"
        "sys.exit(str({'torch', 'pandas', 'sqlalchemy'} & set(sys.modules) or ''))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert done.stderr.strip() == ""
