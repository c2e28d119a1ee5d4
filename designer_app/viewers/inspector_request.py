"""Requests to the inspector that keep the page responsive while they are processed."""

from __future__ import annotations

from concurrent.futures import Future, wait
from contextlib import nullcontext
from typing import Any

import streamlit as st

from designer_app.viewers.viewed_output import ViewedOutput
from pipelines.inspection.questions import A, Question

POLL_SECONDS = 0.2


def request_inspection(
    subject: ViewedOutput, words: str | None, question: Question[A], **facts: Any
) -> A:
    """Return the inspector's answer; raises ``InspectionError``.

    ``words`` are shown while waiting; None if the page already shows a message.
    """
    answer = subject.application.inspector.submit(question, **facts)
    return wait_for(answer, words)


def wait_for(answer: Future[A], words: str | None) -> A:
    """Return an answer while a click elsewhere ends the wait; raises ``InspectionError``."""
    with nullcontext() if words is None else st.spinner(words):
        place = st.empty()
        while not answer.done():
            wait([answer], POLL_SECONDS)
            place.empty()  # drawing anything lets a click elsewhere end this wait
    return answer.result()
