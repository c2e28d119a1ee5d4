"""Pages and their navigation; Streamlit runs this file at each visit."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from designer_app.application import current
from designer_app.screens import navigation
from designer_app.screens.pages import pages
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import tab_title
from designer_app.ui.styles import RUNS_ENTRY, UNDER_RUNS, common_styles
from designer_app.viewers.dialog import close_dialog_unless
from pipelines.errors import WorkspaceError

# A local file: Streamlit loads its named icons for the tab from a server on the network.
ICON = Path(__file__).resolve().parent / "elements" / "icon.svg"

st.set_page_config(page_icon=ICON, layout="wide")
st.logo(ICON, link=None)
st.html(common_styles(st.context.theme.type))
by_name = pages()
navigation.use(by_name)
try:
    chosen = st.navigation(list(by_name.values()), position="top")
    tab_title(chosen.title)
    close_dialog_unless(chosen.title)
    if chosen.url_path in UNDER_RUNS:
        st.html(RUNS_ENTRY)
    chosen.run()
except WorkspaceError as error:
    st.error(plain(error))
except Exception:  # a damaged database raises errors of any kind
    damage = current().session.database.damage()
    if damage is None:
        raise
    st.error(plain(damage))
