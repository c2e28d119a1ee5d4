"""Graph tab: the pipeline of one run, with its differences from the first marked in color."""

from __future__ import annotations

import streamlit as st

from designer_app.elements.drawing import drawing
from designer_app.elements.graph_drawing import Mark, draw_graph
from designer_app.screens.compare.compared_runs import ComparisonView
from designer_app.translation import _
from designer_app.ui.markdown import plain
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.expansion import expanded
from pipelines.errors import RunNotFoundError


def graph(compared: ComparisonView) -> None:
    """Draw the tab."""
    others = list(range(1, len(compared.runs)))
    place = others[0]
    if len(others) > 1:
        chosen = st.segmented_control(
            _("Run"),
            others,
            default=place,
            required=True,
            format_func=compared.label,
            key="compare-graph-run",
            label_visibility="collapsed",
        )
        place = chosen if chosen is not None else place
    difference = compared.comparison.graphs[place]
    first, other = _document(compared, 0), _document(compared, place)
    st.write(
        _(
            "**{run}** against **{first}**: {summary}.",
            run=plain(compared.label(place)),
            first=plain(compared.label(0)),
            summary=plain(difference.summary),
        )
    )
    marks = {node: Mark("added", (_("added"),)) for node in difference.added}
    marks |= {node: Mark("changed", tuple(words)) for node, words in difference.changed.items()}
    marks |= {node: Mark("moved", tuple(words)) for node, words in difference.moved.items()}
    marks |= {node: Mark("removed", (_("removed"),)) for node in difference.removed}
    catalog = compared.application.session.catalog
    svg = draw_graph(other, catalog, marks, gone_from=first)
    drawing(svg, key=f"compare-graph-{place}")
    st.caption(_("Added is green, changed is amber, removed is red, only moved is blue."))
    for link in difference.links:
        st.caption(plain(link))


def _document(compared: ComparisonView, place: int) -> PipelineDocument:
    run_id = compared.runs[place].run_id
    record = compared.application.session.runs.store.record(run_id)
    if record is None:
        raise RunNotFoundError(run_id)
    return expanded(parse_document(record.document))
