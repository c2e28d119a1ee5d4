"""Rich display in notebooks: HTML without scripts, for light and dark themes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Protocol, cast

from designer_app.elements.graph_drawing import draw_graph
from modules.catalog import Catalog
from modules.formatting import format_seconds
from pipelines.document.document import PipelineDocument
from pipelines.problems import Problem
from pipelines.runs.report import RunReport
from pipelines.sentences import _

if TYPE_CHECKING:
    import pandas as pd

GROUND = "var(--jp-layout-color0, var(--vscode-editor-background, Canvas))"
INK = "var(--jp-content-font-color1, var(--vscode-editor-foreground, CanvasText))"
FONT = "font-family:system-ui,sans-serif"
FRAME = f"color:{INK};--st-background-color:{GROUND};{FONT};overflow-x:auto"
CELL = "padding:2px 10px;text-align:left;border-bottom:1px solid #8884"
SMALL_TITLES = "<style>.pipeline-designer svg text { font-size: 11px }</style>"
"""Fonts of notebooks may be wider than the app's, whose titles fill the boxes."""
MAX_ROWS = 10
MAX_CLASSES = 30
"""Limit of a matrix: a larger one shows its most frequent mistakes."""
COLOURS: Mapping[str, str] = {
    "completed": "#1f9d61",
    "reused": "#1f9d61",
    "failed": "#d64550",
    "cancelled": "#b98a1f",
    "running": "#3b82c4",
}
DONE = ("completed", "reused", "failed", "cancelled", "skipped")


def graph_html(document: PipelineDocument, catalog: Catalog) -> str:
    """Return the graph of a pipeline as SVG."""
    titles = {f"definition:{part.id}": part.title or part.id for part in document.definitions}
    nodes = tuple(
        node.model_copy(update={"title": node.title or titles.get(node.module)})
        for node in document.nodes
    )
    shown = document.model_copy(update={"nodes": nodes})
    drawing = draw_graph(shown, catalog, {}, shown) or f"<i>{_('No nodes.')}</i>"
    return _framed(_heading(document.name or document.id) + SMALL_TITLES + drawing)


def problems_html(problems: Sequence[Problem]) -> str:
    """Return a list of problems."""
    if not problems:
        return _framed(_("The pipeline can be run."))
    colours = {"error": COLOURS["failed"], "warning": COLOURS["cancelled"]}
    words = {"error": _("error"), "warning": _("warning")}
    items = (
        f'<li><b style="color:{colours[problem.severity]}">{words[problem.severity]}</b> '
        f"{escape(problem.sentence)}</li>"
        for problem in problems
    )
    return _framed(f"<ul>{''.join(items)}</ul>")


def run_html(report: RunReport) -> str:
    """Return the progress of a run: its primary metric, a bar, and a row for each node."""
    nodes = report.nodes
    done = sum(node.status in DONE for node in nodes.values())
    share = 100 * done / max(1, len(nodes))
    colour = COLOURS.get(report.status, COLOURS["running"])
    bar = (
        f'<div role="progressbar" aria-valuenow="{share:.0f}" style="height:6px;'
        f'max-width:640px;background:#8883;border-radius:3px;margin:6px 0">'
        f'<div style="height:6px;width:{share:.0f}%;background:{colour};border-radius:3px"></div>'
        "</div>"
    )
    rows = (
        (
            escape(name),
            _status(node.status),
            format_seconds(node.seconds) if node.seconds is not None else "",
            escape(node.problem.message if node.problem else node.summary or ""),
        )
        for name, node in nodes.items()
    )
    table = _table((_("Node"), _("Status"), _("Time"), ""), rows)
    return _framed(f"<div>{_run_title(report)}</div>{bar}{table}")


def run_line_html(report: RunReport) -> str:
    """Return status and primary metric of a run in one line."""
    return _framed(f"<div>{_run_title(report)}</div>")


def _run_title(report: RunReport) -> str:
    parts = [escape(report.name or report.run_id), _status(report.status)]
    if report.headline:
        parts.append(f"{escape(report.headline.label)} <b>{escape(report.headline.text)}</b>")
    if report.seconds is not None:
        parts.append(format_seconds(report.seconds))
    return " · ".join(parts)


def evaluation_html(metrics: pd.DataFrame, matrix: pd.DataFrame) -> str:
    """Return the metrics of an evaluation and its confusion matrix."""
    return _framed(_frame_table(metrics) + _heading(_("Confusion matrix")) + _matrix(matrix))


def table_html(table: pd.DataFrame) -> str:
    """Return the first rows of a table and the number of the others."""
    rest = len(table) - MAX_ROWS
    more = f"<div>{_('and {rest:,} more rows', rest=rest)}</div>" if rest > 0 else ""
    return _framed(_frame_table(table.head(MAX_ROWS)) + more)


@dataclass(frozen=True)
class Html:
    """HTML that a notebook shows."""

    content: str

    def _repr_html_(self) -> str:
        return self.content


class LiveView:
    """Display of a run that is replaced while it runs; outside notebooks there is none."""

    def __init__(self, report: RunReport) -> None:
        self._handle = _notebook_handle(Html(run_html(report)))

    @property
    def is_shown(self) -> bool:
        """True in notebooks."""
        return self._handle is not None

    def update(self, report: RunReport) -> None:
        """Show the progress."""
        if self._handle is not None:
            self._handle.update(Html(run_html(report)))

    def finish(self, report: RunReport) -> None:
        """Show the result in one line; the run itself shows its nodes."""
        if self._handle is not None:
            self._handle.update(Html(run_line_html(report)))


class _Handle(Protocol):
    def update(self, content: Html) -> None: ...


def _notebook_handle(shown: Html) -> _Handle | None:
    """Return a handle of a new display in a notebook; None in scripts and terminals."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    return cast("_Handle", sys.modules["IPython.display"].display(shown, display_id=True))


def _framed(content: str) -> str:
    return f'<div class="pipeline-designer" style="{FRAME}">{content}</div>'


def _heading(text: str) -> str:
    return f'<div style="font-weight:650;margin:4px 0">{escape(text)}</div>'


def _status(status: str) -> str:
    colour = COLOURS.get(status, "#888")
    return f'<span style="color:{colour}">●</span> {escape(status)}'


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; its cells are HTML."""
    head = "".join(f'<th style="{CELL}">{escape(str(column))}</th>' for column in columns)
    body = "".join(
        f"<tr>{''.join(f'<td style={CELL!r}>{cell}</td>' for cell in row)}</tr>" for row in rows
    )
    return (
        f'<table style="border-collapse:collapse;font-size:13px">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _frame_table(table: pd.DataFrame) -> str:
    rows = ([_cell(value) for value in row] for row in table.itertuples(index=False))
    return _table([str(column) for column in table.columns], rows)


def _cell(value: object) -> str:
    return escape(f"{value:.4g}" if isinstance(value, float) else str(value)[:200])


def _matrix(matrix: pd.DataFrame) -> str:
    """Return a confusion matrix with shares as shades; of many classes the mistakes alone."""
    classes = [str(name) for name in matrix.columns]
    counts: list[list[int]] = matrix.to_numpy(dtype=int).tolist()
    if len(classes) > MAX_CLASSES:
        return _mistakes(classes, counts)
    rows = []
    for actual, row in enumerate(counts):
        cells = [_matrix_cell(count, sum(row), actual == place) for place, count in enumerate(row)]
        rows.append([f"<b>{escape(classes[actual])}</b>", *cells])
    return _table([_("actual \\ predicted"), *classes], rows)


def _matrix_cell(count: int, total: int, is_right: bool) -> str:
    colour = "31,157,97" if is_right else "214,69,80"
    shade = f"background:rgba({colour},{0.1 + 0.6 * count / total:.2f});" if count else ""
    return f'<div style="{shade}min-width:24px;text-align:right">{count or ""}</div>'


def _mistakes(classes: list[str], counts: list[list[int]]) -> str:
    """Return the most frequent mistakes."""
    mistakes = sorted(
        (-count, classes[actual], classes[predicted])
        for actual, row in enumerate(counts)
        for predicted, count in enumerate(row)
        if count and actual != predicted
    )
    rows = ([escape(a), escape(p), str(-count)] for count, a, p in mistakes[:MAX_ROWS])
    return _table([_("Actual"), _("Predicted"), _("Images")], rows)
