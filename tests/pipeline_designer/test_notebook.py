"""The guide *From a notebook*, cell by cell, on digits; and in a real kernel, if there is one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline_designer import Workspace
from tests.pipeline_designer.notebooks import Cells, cells_of_guide

pytestmark = pytest.mark.extended
FEW = "sample:shapes?classes=3&images=60&size=32"


def cells_on(folder: Path) -> list[str]:
    """Return the cells of the guide, with few images, in another workspace."""
    cells = [cell.replace("epochs=4", "epochs=1") for cell in cells_of_guide()]
    cells = [cell.replace("sample:digits", FEW) for cell in cells]
    cells = [
        cell.replace('Workspace("workspace")', f"Workspace({str(folder)!r})") for cell in cells
    ]
    skipped = ("gpu-box", "run_training_script", "Experiment(ws")
    kept = [cell for cell in cells if not any(word in cell for word in skipped)]
    submit = next(cell for cell in cells if "Experiment(ws" in cell)
    place = next(number for number, cell in enumerate(kept) if "run.wait()" in cell)
    return [*kept[:place], submit, *kept[place:]]


def test_the_guide_runs_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = Cells()
    shown: list[Any] = [cells.run(cell) for cell in cells_on(tmp_path / "ws")]
    pages = [value._repr_html_() for value in shown if hasattr(value, "_repr_html_")]
    assert "<svg" in pages[0]
    assert any("Confusion matrix" in str(page) for page in pages)
    run = cells.names["run"]
    assert run.metrics["evaluate"]
    assert run.output("evaluate").matrix().to_numpy().sum() == len(run.output("score").table())
    assert "Confusion matrix" in str(run.output("evaluate")._repr_html_())
    assert (tmp_path / "model" / "model.safetensors").is_file()
    session = Workspace(tmp_path / "ws").session
    assert session.models.find("digits@best").reference == "digits@1"
    session.runner.stop()


@pytest.mark.full  # the same cells without a kernel: test_the_guide_runs_as_it_is_written
def test_a_kernel_shows_the_same(tmp_path: Path) -> None:
    pytest.importorskip("ipykernel")
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    cells = [nbformat.v4.new_code_cell(cell) for cell in cells_on(tmp_path / "ws")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(
        notebook, timeout=900, resources={"metadata": {"path": tmp_path}}
    ).execute()
    outputs = [output for cell in notebook.cells for output in cell.outputs]
    pages = [str(output.get("data", {}).get("text/html")) for output in outputs]
    assert any("<svg" in page for page in pages)
    assert any("progressbar" in page and "completed" in page for page in pages)
    assert any("Confusion matrix" in page for page in pages)
    assert not [output for output in outputs if output["output_type"] == "error"]
    Workspace(tmp_path / "ws").session.runner.stop()
