"""Errors that a user can cause, shown on the page instead of the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from designer_app.ui.markdown import plain
from modules.errors import ModuleError
from pipelines.errors import DesignerError
from pipelines.problems import PipelineError

MAX_PROBLEMS = 10


def guarded(act: Callable[[], object]) -> None:
    """Perform the action, or show why it failed."""
    with errors_shown():
        act()


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show an error of the block, and continue after it."""
    try:
        yield
    except PipelineError as error:
        for problem in error.problems[:MAX_PROBLEMS]:
            st.error(plain(f"{problem.message} {problem.cure}"))
    except (DesignerError, ModuleError) as error:
        st.error(plain(error))
