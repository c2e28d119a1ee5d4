"""Parameters tab: parameters and run settings that differ between the runs."""

from __future__ import annotations

import json

import streamlit as st

from designer_app.screens.compare.compared_runs import ComparisonView
from designer_app.translation import _


def parameters(compared: ComparisonView) -> None:
    """Draw the tab."""
    rows = [
        {
            _("Node"): compared.titles.get(difference.node, difference.node),
            _("Parameter"): difference.title,
            **{
                label: _written(value) if present else _("node not in run")
                for label, value, present in zip(
                    compared.labels, difference.values, difference.is_present, strict=True
                )
            },
        }
        for difference in compared.comparison.parameters
    ]
    if not rows:
        st.info(_("All parameters are equal in these runs. See the metrics or the graph."))
        return
    st.dataframe(rows, hide_index=True, width="stretch", key="compare-parameters")


def _written(value: object) -> str:
    if value is None:
        return _("not set")
    return value if isinstance(value, str) else json.dumps(value)
