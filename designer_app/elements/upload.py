"""Field that streams an archive to the API, as one Streamlit element.

Streamlit's own uploader keeps files in memory; datasets may have many gigabytes.
"""

from __future__ import annotations

from designer_app.application import Application
from designer_app.elements.element import element
from designer_app.ui.triggers import ignored


def upload(application: Application, key: str) -> str | None:
    """Draw the element; return the source of a dataset that was just added."""
    data = {
        "apiBase": "/api",
        "token": application.credentials.page_token,
        "maxBytes": application.settings.max_upload_bytes,
    }
    result = element("upload")(key=key, data=data, on_done_change=ignored)
    done = result.done
    return done if isinstance(done, str) else None
