"""Hypothesis strategies for the events of a run."""

from __future__ import annotations

from hypothesis import strategies as st

from pipelines.events import Event

NODES = ("a", "b")
step_events = st.one_of(
    st.builds(lambda n: Event("StepQueued", n, {"key": "k"}, 1.0), st.sampled_from(NODES)),
    st.builds(
        lambda n, k: Event("StepStarted", n, {"attempt": k}, 2.0),
        st.sampled_from(NODES),
        st.integers(1, 3),
    ),
    st.builds(lambda n: Event("StepRunning", n, {}, 3.0), st.sampled_from(NODES)),
    st.builds(lambda n: Event("StepProgress", n, {"done": 1}, 3.0), st.sampled_from(NODES)),
    st.builds(lambda n: Event("StepWarning", n, {"message": "m"}, 3.0), st.sampled_from(NODES)),
    st.builds(
        lambda n: Event("StepFinished", n, {"artifact_id": "x"}, 4.0), st.sampled_from(NODES)
    ),
    st.builds(
        lambda n: Event("StepFailed", n, {"problem": {"code": "1"}}, 4.0), st.sampled_from(NODES)
    ),
    st.builds(lambda: Event("RunStarted", None, {}, 1.5)),
    st.builds(lambda: Event("RunInterrupted", None, {"times": 1}, 2.5)),
    st.builds(lambda: Event("RunFinished", None, {"status": "failed"}, 5.0)),
    st.builds(lambda: Event("RunQueued", None, {"nodes": list(NODES)}, 1.0)),
    st.builds(lambda: Event("SomethingNewer", "a", {}, 1.0)),
)
