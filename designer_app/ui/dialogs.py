"""Dialogs of pages, which look as those of the editor: three widths, buttons at the right."""

from __future__ import annotations

import streamlit as st

from designer_app.translation import _

SMALL, MEDIUM, LARGE = 560, 800, 1120
"""Widths in pixels, those of ``dialogs.css``: a question, a form, an output."""


def dialog_buttons(action: str, *, key: str, disabled: bool = False) -> bool:
    """Draw Cancel and the action at the lower right; return True if the action was just pressed."""
    with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        if st.button(_("Cancel"), key=f"{key}-cancel"):
            st.rerun()
        return bool(st.button(action, key=key, type="primary", disabled=disabled))
