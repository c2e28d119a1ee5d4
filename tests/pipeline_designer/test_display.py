"""What notebooks show: graphs, progress, tables, matrices; never markup from a document."""

from __future__ import annotations

import sys
import types
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest

from modules.catalog import builtin_catalog
from pipeline_designer import Pipeline, RunFailedError, Workspace, display
from pipeline_designer import modules as modules_of_users
from pipelines.document.document import load_document
from pipelines.lessons.pipeline_files import lesson_files

m: Any = modules_of_users
HOSTILE = "<script>alert(1)</script>"


def parsed(html: str | None) -> ElementTree.Element:
    """Return HTML, which must be well formed and without scripts."""
    assert html is not None
    assert "<script" not in html
    return ElementTree.fromstring(html)


def texts(html: str | None) -> str:
    return " ".join(parsed(html).itertext())


@pytest.mark.parametrize("name", lesson_files())
def test_graphs_of_lessons(name: str) -> None:
    document = load_document(lesson_files()[name])
    drawing = parsed(display.graph_html(document, builtin_catalog()))
    boxes = drawing.findall(".//{http://www.w3.org/2000/svg}g")
    assert len(boxes) == len(document.nodes)


def test_a_pipeline_shows_its_graph_and_the_titles_of_sub_pipelines() -> None:
    with Pipeline("x", name=HOSTILE) as p:
        assert p._repr_html_() is None
        with p.sub_pipeline("front", title="Front part") as front:
            m.import_images(id="images")
            front.output("dataset", "images.dataset")
        _node = front(id="first")
        m.densenet(id="net", title=HOSTILE)
    assert "Front part" in texts(p._repr_html_())
    with Pipeline("empty") as empty:
        pass
    assert "No nodes." in texts(empty._repr_html_())


def test_problems_and_runs(toys: Workspace) -> None:
    with Pipeline("sums", workspace=toys) as p:
        one = m.constant()
        m.fail(id="broken", message=HOSTILE, a=one)
    assert "can be run" in texts(p.check()._repr_html_())
    with pytest.raises(RunFailedError) as caught:
        p.run(wait=True, name=HOSTILE)
    shown = parsed(caught.value.run._repr_html_())
    rows = shown.findall(".//tbody/tr")
    assert [row[0].text for row in rows] == ["one", "broken"]
    assert HOSTILE in " ".join(shown.itertext())
    bar = shown.find(".//div[@role='progressbar']")
    assert bar is not None
    assert bar.get("aria-valuenow") == "100"
    with Pipeline("wrong", workspace=toys) as wrong:
        m.add(id="sum")
    assert "error" in texts(wrong.check()._repr_html_())


def test_tables_and_matrices() -> None:
    table = pd.DataFrame({"path": [HOSTILE] * 12, "value": [0.5] * 12})
    assert "and 2 more rows" in texts(display.table_html(table))
    matrix = pd.DataFrame([[3, 1], [0, 0]], index=["a", HOSTILE], columns=["a", HOSTILE])
    shown = parsed(display.evaluation_html(table.head(1), matrix))
    cells = [" ".join(cell.itertext()) for cell in shown.findall(".//td")]
    assert cells[-6:] == ["a", "3", "1", HOSTILE, "", ""]
    names = [f"class {number}" for number in range(display.MAX_CLASSES + 1)]
    large = pd.DataFrame(0, index=names, columns=names)
    large.loc["class 3", "class 4"] = 7
    assert "class 3 class 4 7" in texts(display.evaluation_html(table.head(1), large))


def test_the_display_of_a_run_is_replaced_while_it_runs(
    toys: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, content: Any) -> None:
            shown.append(content._repr_html_())

    ipython: Any = types.ModuleType("IPython")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=True)
    ipython_display: Any = types.ModuleType("IPython.display")
    ipython_display.display = lambda *_, display_id: Handle() if display_id else None
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython_display)
    with Pipeline("slow", workspace=toys) as p:
        one = m.constant()
        m.sleep(id="slow", a=one, seconds=2)
    p.run(wait=True)
    assert len(shown) >= 2
    assert "running" in texts(shown[0])
    assert "progressbar" not in shown[-1]
    assert "completed" in texts(shown[-1])
