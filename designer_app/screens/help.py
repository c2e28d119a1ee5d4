"""Help page: first steps, documentation, keys and terms."""

from __future__ import annotations

import streamlit as st

from designer_app.screens.navigation import page
from designer_app.settings import DOCUMENTATION_PATH
from designer_app.translation import _

CHAPTERS = {
    _("Get started"): "get-started.html",
    _("Tutorials"): "tutorials/index.html",
    _("How-to guides"): "how-to/index.html",
    _("Modules and parameters"): "reference/index.html",
    _("How it works"): "explanation/index.html",
}
KEYS = {
    "?": _("All shortcuts"),
    "Tab": _("Add a module at the pointer"),
    "Ctrl + K": _("Find any command"),
    "Ctrl + Enter": _("Run"),
    "Ctrl + Z": _("Undo"),
    "H": _("Collapse or expand the selected nodes"),
    "F1": _("Help of the selected module"),
}
TERMS = {
    _("Pipeline"): _("A graph of modules that turns images into a trained and tested model."),
    _("Node"): _("A box on the canvas: a module with its settings."),
    _("Port"): _("An input or an output of a node. A wire connects an output with an input."),
    _("Run"): _("One execution of a pipeline. Its settings and results are kept."),
    _("Artifact"): _("An output of a node in a run: images, a model, a table. Click a port."),
    _("Reused"): _("The node did not run, because nothing that it depends on has changed."),
    _("Compute target"): _("The machine or cluster on which nodes run."),
    _("Environment"): _("The Python packages that a script runs with."),
    _("Replay"): _("A finished run in one file. It plays anywhere, without computing."),
}


def show() -> None:
    """Draw the page."""
    st.title(_("Help"))
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(_("First steps"))
        st.write(
            _(
                "Open lesson 01 on Home: its steps guide you to a first trained model. "
                "Or drop a folder with your images there."
            )
        )
        st.page_link(page("home"), label=_("Lessons and your images"), icon=":material/home:")
        st.subheader(_("Documentation"))
        links = (f"- [{title}]({DOCUMENTATION_PATH}/{path})" for title, path in CHAPTERS.items())
        st.markdown("\n".join(links))
        st.subheader(_("Keys on the canvas"))
        st.markdown(_table((_("Key"), _("Action")), KEYS))
    with right:
        st.subheader(_("Terms"))
        st.markdown(_table((_("Term"), _("Meaning")), TERMS))
    st.caption(_("Theme: the button at the top right selects light, dark or that of your system."))


def _table(head: tuple[str, str], rows: dict[str, str]) -> str:
    """Return a table as Markdown, which comes with its page; `st.table` comes later."""
    lines = [head, ("---", "---"), *rows.items()]
    return "\n".join(f"| {left} | {right} |" for left, right in lines)
