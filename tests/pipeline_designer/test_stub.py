"""Signatures for type checkers: strict enough to find what a user gets wrong."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from modules.catalog import builtin_modules
from pipelines.document.code.names import NODE_KEYWORDS
from tests.project.source import ROOT

GOOD = """\
from pipeline_designer import Pipeline, Run, Workspace
from pipeline_designer import modules as m

with Pipeline("x", workspace=Workspace("w")) as p:
    images = m.import_images(source="sample:digits")
    convert = m.convert_to_image_directory(input_dataset=images.dataset)
    split = m.split_image_directory(input_image_directory=convert)
    net = m.densenet(model_name="densenet121", run_settings={"retries": 1})
    far = m.unknown("teleport", images=images)
    train = m.train_pytorch_model(
        untrained_model=net,
        training_dataset=split.output_image_directory1,
        validation_dataset=far.anything,
        epochs=4,
    )
    p.group("g", [split, "train"])
    p.route(train, "untrained_model", (1, 2))
    p.collapse(split, train)

run: Run = p.run(wait=True)
name: str = run.model("train").register("digits")
"""
FAULTS = {
    "m.score_image_model(trained_model=net, dataset=convert)": "[arg-type]",
    "m.densenet(model_nam='densenet121')": 'did you mean "model_name"',
    "m.score_image_model(trained_model=train, dataset=split)": "[arg-type]",
    "m.densenet(model_name='densenet1210')": "[arg-type]",
    "m.densenet(run_settings={'retrys': 1})": "[typeddict-unknown-key]",
    "m.densnet()": "[attr-defined]",
    "split.output_image_directory3": "[attr-defined]",
    "m.score_image_model(trained_model=train)": "[call-arg]",
}


def test_no_parameter_has_the_name_of_a_setting_of_nodes() -> None:
    clashes = {
        f"{module.id}.{name}"
        for module in builtin_modules()
        for name in module.parameters_type.model_fields
        if name in NODE_KEYWORDS
    }
    assert clashes == set()


@pytest.mark.extended
def test_a_type_checker_finds_planted_faults_and_nothing_else(tmp_path: Path) -> None:
    lines = GOOD.splitlines()
    file = tmp_path / "script.py"
    file.write_text(GOOD + "".join(f"{line}\n" for line in FAULTS), encoding="utf-8")
    done = subprocess.run(  # with the settings and the cache of `make check`
        [sys.executable, "-m", "mypy", "--no-error-summary", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    reported = dict(re.findall(r"script\.py:(\d+): error: (.*)", done.stdout))
    wanted = {
        str(len(lines) + number): text for number, text in enumerate(FAULTS.values(), start=1)
    }
    assert reported.keys() == wanted.keys(), done.stdout
    assert [line for line, text in wanted.items() if text not in reported[line]] == [], done.stdout
