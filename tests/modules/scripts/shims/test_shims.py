"""What scripts import: in a Python of their own, without our packages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from modules.scripts.shims import SHIMS, designer_rank
from tests.modules.scripts.shims.shim_scripts import logged, said


def test_a_point_is_a_line(tmp_path: Path) -> None:
    script = (
        "from designer_log import designer_log\n"
        "designer_log('loss', 1, 2)\ndesigner_log(3, float('nan'))\n"
    )
    path = tmp_path / "metrics.jsonl"
    assert said(script, tmp_path, DESIGNER_METRICS=str(path), RANK="4") == ""
    assert [(name, step, rank) for name, _, step, rank in logged(path)] == [
        ("loss", 2, 4),
        ("3", None, 4),
    ]


@pytest.mark.parametrize("path", ["", "/", "no/such/folder/file"])
def test_a_training_goes_on_where_nothing_can_be_logged(tmp_path: Path, path: str) -> None:
    script = "from designer_log import designer_log\ndesigner_log('loss', 1)\nprint('on')"
    assert said(script, tmp_path, DESIGNER_METRICS=path).strip() == "on"


def test_lines_of_several_processes_do_not_mix(tmp_path: Path) -> None:
    script = (
        "import os\n"
        "from designer_log import designer_log\n"
        "for step in range(500): designer_log('x' * 200 + os.environ['RANK'], step, step)\n"
    )
    path = tmp_path / "metrics.jsonl"
    environment = {**os.environ, "PYTHONPATH": str(SHIMS), "DESIGNER_METRICS": str(path)}
    started = [
        subprocess.Popen([sys.executable, "-c", script], env={**environment, "RANK": str(rank)})
        for rank in range(3)
    ]
    assert [each.wait(120) for each in started] == [0, 0, 0]
    found = logged(path)
    assert len(found) == 1_500
    for rank in range(3):
        steps = [step for _, _, step, of in found if of == rank]
        assert steps == list(range(500))


CLUSTER = {"worker": ["a:1", "b:1"]}


@pytest.mark.parametrize(
    ("variables", "rank"),
    [
        ({}, 0),
        ({"RANK": "3", "LOCAL_RANK": "1"}, 3),
        ({"OMPI_COMM_WORLD_RANK": "2"}, 2),
        ({"PMI_RANK": "2"}, 2),
        ({"SLURM_PROCID": "5"}, 5),
        ({"NODE_RANK": "0", "LOCAL_RANK": "1"}, 1),
        ({"NODE_RANK": "1"}, 1),
        ({"RANK": "many"}, 0),
        ({"TF_CONFIG": "no json"}, 0),
        ({"TF_CONFIG": "{}"}, 0),
        (
            {"TF_CONFIG": json.dumps({"cluster": CLUSTER, "task": {"type": "worker", "index": 0}})},
            0,
        ),
        (
            {"TF_CONFIG": json.dumps({"cluster": CLUSTER, "task": {"type": "worker", "index": 1}})},
            2,
        ),
        (
            {
                "TF_CONFIG": json.dumps(
                    {"cluster": {"chief": ["c:1"]}, "task": {"type": "worker", "index": 0}}
                )
            },
            1,
        ),
    ],
)
def test_the_rank_is_known_under_every_launcher(variables: dict[str, str], rank: int) -> None:
    assert designer_rank.rank(variables) == rank


def test_other_ranks_say_so_in_the_address() -> None:
    first = {"MLFLOW_TRACKING_URI": "http://127.0.0.1:1/t"}
    designer_rank.name_rank_in_tracking_address(first)
    assert first == {"MLFLOW_TRACKING_URI": "http://127.0.0.1:1/t"}
    other = {**first, "RANK": "2"}
    for _ in range(2):
        designer_rank.name_rank_in_tracking_address(other)
    assert other["MLFLOW_TRACKING_URI"] == "http://127.0.0.1:1/t/rank/2"
    alone = {"RANK": "2"}
    designer_rank.name_rank_in_tracking_address(alone)
    assert alone == {"RANK": "2"}


@pytest.mark.parametrize("code", ["", None], ids=["package", "namespace"])
@pytest.mark.parametrize("name", ["azureml", "horovod"])
def test_what_is_installed_comes_first(tmp_path: Path, name: str, code: str | None) -> None:
    """Installed packages stand behind ``PYTHONPATH``, with or without code of their own."""
    inner = tmp_path / "site" / name / {"azureml": "core", "horovod": "torch"}[name]
    inner.mkdir(parents=True)
    (inner / "__init__.py").write_text("real = True")
    if code is not None:
        (inner.parent / "__init__.py").write_text(code)
    script = (
        f"import sys; sys.path.append({str(tmp_path / 'site')!r})\n"
        f"import {name}.{inner.name} as found; print(found.real)"
    )
    assert said(script, tmp_path).strip() == "True"
