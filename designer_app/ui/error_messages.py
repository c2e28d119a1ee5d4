"""Actions on a run that may fail, with the error next to the button."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from designer_app.ui.markdown import plain
from pipelines.errors import DesignerError
from pipelines.problems import PipelineError

MAX_PROBLEMS = 10


def guarded(act: Callable[[], object]) -> None:
    """Perform the action, or show why it failed."""
    try:
        act()
    except PipelineError as error:
        for problem in error.problems[:MAX_PROBLEMS]:
            st.error(plain(f"{problem.message} {problem.cure}"))
    except DesignerError as error:
        st.error(plain(error))
