"""Correction of Streamlit: a page that the user has left does not take back the next page."""

from __future__ import annotations

from threading import Lock

from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests


class CurrentPageRequests(ScriptRequests):
    """Requests of a browser tab, without those for parts of a page that was left.

    Until the browser receives the next page, the timers of parts (``st.fragment``) request them
    with the old page. Streamlit 1.67 then discards the click that led away, or starts a run of the
    old page, for which the browser removes everything on the new one.
    """

    def __init__(self) -> None:
        super().__init__()
        self._page = ""
        self._order = Lock()  # requests come from the browser and from `st.switch_page`

    def request_rerun(self, new_data: RerunData) -> bool:
        """Take a request; one for a part of another page counts as served."""
        with self._order:
            is_part = bool(new_data.fragment_id or new_data.fragment_id_queue)
            if not is_part:
                self._page = new_data.page_script_hash  # empty for the address of a first visit
            elif self._page and new_data.page_script_hash != self._page:
                return True
            return bool(super().request_rerun(new_data))


def keep_to_current_pages() -> None:
    """Use these requests in all sessions."""
    # the name under which Streamlit's sessions find the class
    script_runner.ScriptRequests = CurrentPageRequests  # type: ignore[attr-defined]
