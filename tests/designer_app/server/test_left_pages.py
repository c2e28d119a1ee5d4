"""Pages that a user leaves while parts of them are redrawn by a timer, in real sessions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from websockets.sync.client import ClientConnection, connect

from designer_app.server.left_pages import CurrentPageRequests
from designer_app.server.server import listen

PAGES = """
import time
import streamlit as st

def live():
    st.fragment(lambda: st.write("part"), run_every=3600)()
    if st.button("leave"):
        st.switch_page(pages[1])

def slow():
    time.sleep(1)
    st.write("drawn")

pages = [st.Page(live), st.Page(slow)]
st.navigation(pages).run()
"""
SERVE = """
import socket, sys
import streamlit as st, uvicorn
from designer_app.server.left_pages import keep_to_current_pages

keep_to_current_pages()
app = st.App(sys.argv[1])
uvicorn.Server(uvicorn.Config(app, log_level="error")).run([socket.socket(fileno=int(sys.argv[2]))])
"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[ClientConnection]:
    """A browser tab's connection to a server with both pages."""
    script = tmp_path / "pages.py"
    script.write_text(PAGES)
    with closing(listen(None)) as listening:
        handle, port = listening.fileno(), listening.getsockname()[1]
        command = (sys.executable, "-c", SERVE, str(script), str(handle))
        process = subprocess.Popen(command, pass_fds=[handle])
        try:
            with connect(f"ws://127.0.0.1:{port}/_stcore/stream", open_timeout=60) as connection:
                yield connection
        finally:
            process.terminate()
            process.wait()


def ask(connection: ClientConnection, page: str = "", part: str = "", click: str = "") -> None:
    """Send the request that the browser sends."""
    message = BackMsg()
    message.rerun_script.page_script_hash = page
    message.rerun_script.fragment_id = part
    message.rerun_script.is_auto_rerun = bool(part)
    if click:
        message.rerun_script.widget_states.widgets.add(id=click, trigger_value=True)
    connection.send(message.SerializeToString())


def received(connection: ClientConnection, seconds: float = 60) -> ForwardMsg:
    """The next message of the server."""
    message = ForwardMsg()
    message.ParseFromString(bytes(connection.recv(timeout=seconds, decode=False)))
    return message


def until_quiet(connection: ClientConnection) -> Iterator[ForwardMsg]:
    """What else the server sends; a run that is pending begins within milliseconds."""
    with suppress(TimeoutError):
        while True:
            yield received(connection, seconds=1)


def answers(connection: ClientConnection) -> Iterator[ForwardMsg]:
    """What the server sends until a page is complete."""
    is_complete = False
    while not is_complete:
        message = received(connection)
        is_complete = (
            message.HasField("script_finished")
            and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        )
        yield message


def test_a_part_of_the_page_before_is_not_drawn_after_the_next_page(
    session: ClientConnection,
) -> None:
    ask(session)
    shown = list(answers(session))
    [live] = [one.navigation.page_script_hash for one in shown if one.HasField("navigation")]
    [part] = [one.auto_rerun.fragment_id for one in shown if one.HasField("auto_rerun")]
    [leave] = [one.delta.new_element.button.id for one in shown if one.delta.new_element.button.id]

    ask(session, live, click=leave)
    pages = []
    for message in answers(session):
        if message.HasField("new_session"):
            pages.append(message.new_session.page_script_hash)
            if pages[-1] != live:
                ask(session, live, part=part)  # the browser has not yet received the next page
    assert len(pages) == 2
    assert not any(later.HasField("new_session") for later in until_quiet(session))


def test_a_part_of_the_page_before_does_not_undo_the_way_to_the_next_one() -> None:
    requests = CurrentPageRequests()
    assert requests.request_rerun(RerunData(page_script_hash="next"))
    assert requests.request_rerun(RerunData(page_script_hash="before", fragment_id="part"))
    request = requests.on_scriptrunner_ready()
    assert request.rerun_data.page_script_hash == "next"


def test_parts_of_the_page_itself_are_redrawn() -> None:
    for page in ("", "this"):  # without a name on a first visit
        requests = CurrentPageRequests()
        assert requests.request_rerun(RerunData(page_script_hash=page))
        requests.on_scriptrunner_ready()
        assert requests.request_rerun(RerunData(page_script_hash="this", fragment_id="part"))
        assert requests.on_scriptrunner_ready().rerun_data.fragment_id_queue == ["part"]
