from __future__ import annotations

import pytest

from pipelines.environments.definition import EnvironmentDefinition
from pipelines.environments.formats import EXPORTS, read_definition
from pipelines.environments.interpreters import designers_own
from pipelines.environments.requirement_lines import MAX_LISTED, RequirementsRefusedError
from pipelines.errors import RefusedError

SEEDS = """
channels:
- conda-forge
dependencies:
- python=3.6.2
- pip:
  - azureml-defaults
  - torch==1.6.0
  - torchvision==0.7.0
  - future==0.17.1
  - pillow
"""
OWN = ".".join(designers_own().version.split(".")[:2])


def test_a_conda_file_converts_whole_and_says_what_it_left_out() -> None:
    definition = read_definition(SEEDS, "conda_dependencies.yml")
    assert definition.requirements == (
        "torch==1.6.0",
        "torchvision==0.7.0",
        "future==0.17.1",
        "pillow",
    )
    assert (definition.base, definition.python) == ("isolated", "3.6")
    channels, patch, answered = definition.left_out
    assert channels.startswith("Channels (conda-forge)")
    assert "3.6.2" in patch
    assert answered.startswith("azureml-defaults is ignored")


@pytest.mark.parametrize(
    ("line", "requirements", "left_out"),
    [
        ("numpy", ["numpy"], 0),
        ("numpy=1.20", ["numpy==1.20.*"], 0),
        ("scipy=1.2.3=py36_0", ["scipy==1.2.3"], 0),
        ("scipy==1.2.3", ["scipy==1.2.3"], 0),
        ("'scipy 1.2.*'", ["scipy==1.2.*"], 0),
        ("'pandas>=1.5,<2'", ["pandas<2,>=1.5"], 0),
        ("conda-forge::py-opencv", ["opencv-python-headless"], 0),
        ("pytorch=1.6", ["torch==1.6.*"], 0),
        ("'numpy >=1.20, <2'", ["numpy<2,>=1.20"], 0),
        ("cudatoolkit=10.1", [], 1),
        ("openmpi", [], 1),
        ("horovod", [], 1),
        ("{pip: [-r other.txt, six, horovod==0.19.5]}", ["six"], 2),
    ],
)
def test_lines_of_conda(line: str, requirements: list[str], left_out: int) -> None:
    definition = read_definition(f"dependencies:\n- {line}\n", "environment.yaml")
    assert (list(definition.requirements), len(definition.left_out)) == (requirements, left_out)
    assert definition.base == "designer"


def test_a_project_with_its_groups() -> None:
    text = f"""
[project]
requires-python = ">={OWN}"
dependencies = ["six"]
optional-dependencies = {{extra = ["tiny>1"]}}
[dependency-groups]
dev = ["ruff", {{include-group = "other"}}]
"""
    definition = read_definition(text, "pyproject.toml", ["extra", "dev"])
    assert definition == EnvironmentDefinition(requirements=("six", "tiny>1", "ruff"))
    with pytest.raises(RefusedError, match="Choose one of dev, extra"):
        read_definition(text, "pyproject.toml", ["none"])


def test_a_script_says_what_it_needs_in_its_header() -> None:
    text = '#!/bin/sh\n# /// script\n# requires-python = "<3.9"\n# dependencies = [\n#   "six<2",\n'
    definition = read_definition(f"{text}# ]\n# ///\nimport six\n", "train.py")
    assert definition == EnvironmentDefinition(
        requirements=("six<2",), base="isolated", python="<3.9"
    )


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("train.py", "import six", "no_script_header"),
        ("pyproject.toml", "[project", "requirements_unreadable"),
        ("pyproject.toml", "project.dependencies = 'six'", "requirements_unreadable"),
        ("conda.yml", "dependencies: {a: 1}", "requirements_unreadable"),
        ("conda.yml", "- 1", "requirements_unreadable"),
        ("conda.yml", "a: !!python/object:os.system {}", "requirements_unreadable"),
        ("conda.yml", "a: [", "requirements_unreadable"),
        ("conda.yml", "dependencies: [{pip: 3}]", "requirements_unreadable"),
        ("conda.yml", "dependencies: [{pip: [[a]]}]", "requirements_unreadable"),
        ("conda.yml", "{channels: 5, dependencies: []}", "requirements_unreadable"),
        ("conda.yml", "dependencies: [[a]]", "requirements_unreadable"),
        ("conda.yml", "dependencies: " + "[" * 5000 + "]" * 5000, "requirements_unreadable"),
        ("conda.yml", "a: &a [x]\ndependencies: [*a, *a]", "requirements_unreadable"),
        ("conda.yml", "dependencies: [a]\ndependencies: [b]", "requirements_unreadable"),
        ("conda.yml", f"dependencies: [0x{'f' * 50_000}]", "lines_refused"),
        ("pyproject.toml", "project.dependencies = 3", "requirements_unreadable"),
        ("pyproject.toml", "project.requires-python = [3]", "requirements_unreadable"),
        ("pyproject.toml", "a = " + "[" * 5000, "requirements_unreadable"),
        ("pyproject.toml", "a = " + "9" * 5000, "requirements_unreadable"),
        ("train.py", "# /// script\n" * 14_000, "no_script_header"),
        ("train.py", "# /// script\n# a = 1\nb\n# ///", "no_script_header"),
        ("requirements.txt", "-r other.txt", "lines_refused"),
        ("conda.yml", "dependencies: [{pip: ['./evil']}]", "lines_refused"),
        ("requirements.txt", "a\n" * 200_000, "requirements_too_long"),
    ],
)
def test_what_cannot_be_taken_is_refused(name: str, text: str, reason: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read_definition(text, name)
    assert refused.value.reason == reason


def test_of_many_refused_lines_the_first_are_listed_and_the_others_counted() -> None:
    with pytest.raises(RequirementsRefusedError) as refused:
        read_definition("-r a\n" * 30_000, "requirements.txt")
    *listed, more = refused.value.findings
    assert len(listed) == MAX_LISTED
    assert more.statement.message == "29,900 more lines are not listed."
    left_out = read_definition("dependencies:\n" + "- gcc\n" * 30_000, "conda.yml").left_out
    assert left_out[-1] == "29,900 more lines are not listed."
    assert len(left_out) == MAX_LISTED + 1


@pytest.mark.parametrize(
    ("form", "name"),
    [("requirements", "a.txt"), ("pyproject", "pyproject.toml"), ("conda", "conda.yml")],
)
def test_what_is_exported_reads_back(form: str, name: str) -> None:
    definition = EnvironmentDefinition(requirements=("six>=1", "tiny; os_name == 'nt'"))
    read = read_definition(EXPORTS[form](definition), name)
    assert read.requirements == ("six>=1", 'tiny; os_name == "nt"')
    assert read.base == "designer"
