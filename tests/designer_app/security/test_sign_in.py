"""Who gets in, and what everybody else is told: nothing."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from designer_app.api.endpoints import ENDPOINTS
from designer_app.security.browser_opening import KEPT_SECONDS, BrowserOpening, remove_old
from designer_app.security.credentials import WRONG_CODES, WRONG_CODES_SECONDS, Credentials
from designer_app.server.page_shell import SCREENS
from modules.files.workspace_folder import OPENING
from pipelines.workspace import Workspace
from tests.designer_app.documents import document
from tests.designer_app.http import Answer, Client, Server
from tests.polling import wait_for

TYPED = {"Content-Type": "application/x-www-form-urlencoded"}
OTHERS = (
    "/nothing",
    "/favicon.png",
    "/index.html",
    "/static/index.html",
    "/ui/manifest.json",
    "/media/0.png",
    "/component/x/index.html",
    "/app/static/x.png",
    "/auth/login",
    "/oauth2callback",
    "/healthz",
    *(
        f"/_stcore/{name}"
        for name in (
            "health",
            "script-health-check",
            "host-config",
            "message",
            "stream",
            "agent/openapi.json",
            "agent/mcp",
            "upload_file/a/b",
            "bidi-components/designer_editor/x.js",
        )
    ),
    "/api",
    "/api/openapi.json",
)
"""Streamlit's addresses beside the pages, and some that are nobody's."""


@pytest.fixture
def stranger(client: Client) -> Client:
    """Somebody who knows the address and no secret."""
    return Client(client.port, "", {"X-Designer-Token": ""})


@pytest.fixture
def credentials(server: Server) -> Credentials:
    return server.application.credentials


def cookie_of(answer: Answer) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


def form(client: Client, path: str, code: str, **headers: str) -> Answer:
    return client.send("POST", path, f"code={code}".encode(), {**TYPED, **headers})


def paths() -> list[str]:
    endpoints = [re.sub(r"{[^}]*}", "toy", endpoint.path) for endpoint in ENDPOINTS]
    return [*(f"/{screen}" for screen in SCREENS), *dict.fromkeys(endpoints), *OTHERS]


@pytest.mark.parametrize(
    "method", ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]
)
def test_a_stranger_learns_nothing_anywhere(
    server: Server, client: Client, stranger: Client, credentials: Credentials, method: str
) -> None:
    made = client.post("/api/pipelines", document(name="My secret flowers"))
    assert made.status == 201
    secrets = [
        server.application.token,
        credentials.code,
        credentials.page_token,
        credentials.cookie_value,
    ]
    secrets += ["secret flowers", str(server.application.settings.workspace.root), str(Path.home())]
    for path in paths():
        answer = stranger.send(method, path)
        assert answer.status == 401, path
        said = answer.body.decode() + str(answer.headers)
        assert [each for each in secrets if each in said] == [], path
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("screen", SCREENS)
def test_no_page_holds_the_token(client: Client, credentials: Credentials, screen: str) -> None:
    page = client.get(f"/{screen}")
    assert page.status == 200
    assert client.token not in page.body.decode()
    assert credentials.code not in page.body.decode()
    assert page.headers["cache-control"] == "no-store"


def test_the_code_in_the_address_lets_a_browser_in(
    stranger: Client, credentials: Credentials
) -> None:
    answer = stranger.get(f"/design?pipeline=a%26b&code={credentials.code}")
    assert answer.status == 200
    assert 'href="/design?pipeline=a%26b"' in answer.body.decode()
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    attributes = answer.headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(attributes)
    assert "Secure" not in attributes
    assert attributes[0].startswith(f"designer-{stranger.port}=")
    inside = stranger.get("/design", Cookie=attributes[0])
    assert inside.status == 200
    assert "modulepreload" in inside.body.decode()
    again = stranger.get(f"/?code={credentials.code}")
    assert again.status == 200, "the code is good for a second browser"


def test_an_address_that_is_no_page_leads_to_home(
    stranger: Client, credentials: Credentials
) -> None:
    cookie = cookie_of(stranger.get(f"/?code={credentials.code}"))
    answer = stranger.get("/No-such_page?x=1", Cookie=cookie)
    assert (answer.status, answer.headers["location"]) == (307, "/?unknown=No-such_page")
    assert stranger.get("/No-such-page").status == 401, "strangers are asked for the code first"
    for other in ("/no.such.file", "/_stcore/health", "/a/b", "/%22%3E"):
        assert stranger.get(other, Cookie=cookie).status != 307, other


def test_a_page_needs_the_cookie_and_its_own_token(
    stranger: Client, credentials: Credentials
) -> None:
    cookie = cookie_of(stranger.get(f"/?code={credentials.code}"))
    both = {"Cookie": cookie, "X-Designer-Token": credentials.page_token}
    assert stranger.send("GET", "/api/pipelines", None, both).status == 200
    refusal = stranger.send("GET", "/api/pipelines", None, {"Cookie": cookie})
    assert (refusal.status, refusal.error) == (401, "wrong_token")
    alone = {"X-Designer-Token": credentials.page_token}
    assert stranger.send("GET", "/api/pipelines", None, alone).error == "not_let_in"
    for foreign in ({"Origin": "http://127.0.0.1:1"}, {"Sec-Fetch-Site": "same-site"}):
        refusal = stranger.send("GET", "/api/pipelines", None, {**both, **foreign})
        assert refusal.error == "wrong_origin"


@pytest.mark.parametrize(
    "written",
    [
        str,
        str.upper,
        lambda code: code.replace("-", ""),
        lambda code: f" {code.replace('-', ' ')} ",
        lambda code: f"http://127.0.0.1:8501/?code={code}",
        lambda code: f"Pipeline Designer: http://127.0.0.1:8501/?code={code} ",
    ],
)
def test_the_code_may_be_typed_as_it_is_read(
    stranger: Client, credentials: Credentials, written: Callable[[str], str]
) -> None:
    answer = form(stranger, "/runs?q=1", written(credentials.code))
    assert (answer.status, answer.headers["location"]) == (303, "/runs?q=1")
    assert stranger.get("/runs", Cookie=cookie_of(answer)).status == 200


@pytest.mark.parametrize("path", ["//evil.example", "/%5Cevil.example", "/%2F/evil.example"])
def test_nobody_is_led_to_another_host(
    stranger: Client, credentials: Credentials, path: str
) -> None:
    location = form(stranger, path, credentials.code).headers["location"]
    assert not urlparse(location).netloc
    assert not location.startswith(("//", "/\\"))
    page = stranger.get(f"{path}?code={credentials.code}").body.decode()
    assert 'href="//' not in page


def test_a_wrong_code_is_told_and_soon_no_longer_heard(workspace: Workspace) -> None:
    server = Server(workspace, data_roots=())
    stranger, credentials = Client(server.port, ""), server.application.credentials
    for _ in range(WRONG_CODES - 1):
        answer = form(stranger, "/", "abcd-abcd-abcd-abcd")
        assert (answer.status, "Wrong code" in answer.body.decode()) == (401, True)
    answer = stranger.get("/?code=abcd-abcd-abcd-abcd")
    assert answer.status == 429
    assert 0 < int(answer.headers["retry-after"]) <= WRONG_CODES_SECONDS + 1
    assert form(stranger, "/", credentials.code).status == 303, "nobody can keep the owner out"
    server.stop()


def test_wrong_codes_are_forgotten_in_time() -> None:
    now = [100.0]
    credentials = Credentials("token", 1, lambda: now[0])
    for _ in range(WRONG_CODES):
        assert credentials.seconds_to_wait() == 0
        assert not credentials.is_code("")
    assert credentials.seconds_to_wait() > 0
    now[0] += WRONG_CODES_SECONDS + 1
    assert credentials.seconds_to_wait() == 0


@pytest.mark.parametrize("body", [b"code=" + b"x" * 10**6, b"", b"\xff\xfe=&code", b"code=%ff%00"])
def test_a_strange_form_is_a_wrong_code(stranger: Client, body: bytes) -> None:
    assert stranger.send("POST", "/", body, TYPED).status in (401, 429)


def test_the_cookie_outlives_the_server_and_the_code_does_not() -> None:
    first, second = Credentials("a token", 8501), Credentials("a token", 8501)
    assert first.code != second.code
    assert first.cookie("http") == second.cookie("http")
    other_workspace, other_port = Credentials("another", 8501), Credentials("a token", 8502)
    assert other_workspace.cookie_value != first.cookie_value
    assert other_port.cookie_name != first.cookie_name
    assert first.cookie("https").endswith("; Secure")
    assert first.cookie_value not in (first.page_token, "a token")


def test_a_planted_cookie_keeps_nobody_out(stranger: Client, credentials: Credentials) -> None:
    name, value = credentials.cookie_name, credentials.cookie_value
    planted = f"{name}=evil; other=1; {name}={value}"
    assert stranger.get("/", Cookie=planted).status == 200
    assert stranger.get("/", Cookie=f"{name}=evil").status == 401


def test_the_browser_is_opened_through_a_file_of_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = tmp_path / "called"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {called}.new\nmv {called}.new {called}\n')
    browser.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    entered = threading.Event()
    opening = BrowserOpening(tmp_path, entered)
    opening.start("http://127.0.0.1:1/?code=the-code&x")
    [argument] = wait_for(lambda: called.read_text().split() if called.exists() else [])
    assert "the-code" not in argument
    path = Path(unquote(urlparse(argument).path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert 'href="http://127.0.0.1:1/?code=the-code&amp;x"' in path.read_text()
    entered.set()
    wait_for(lambda: not path.parent.exists())
    opening.close()


def test_files_of_servers_that_were_killed_are_removed(tmp_path: Path) -> None:
    old, fresh, own = (tmp_path / f"{name}1" for name in (OPENING, f"{OPENING}new", "opening-"))
    past = time.time() - KEPT_SECONDS - 10
    for each in (old, fresh, own):
        each.mkdir()
        if each != fresh:
            os.utime(each, (past, past))
    remove_old(tmp_path)
    assert {*tmp_path.iterdir()} == {fresh, own}  # a folder of the user's stays


AS_NOBODY = """
import encodings.idna, http.client, os, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
for path in sys.argv[3:]:
    asking = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=120)
    asking.request("GET", path)
    answer = asking.getresponse()
    print(answer.status, path, answer.getheaders(), answer.read().decode())
try:
    print(open(sys.argv[2]).read())
except PermissionError:
    print("closed")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_of_the_machine_gets_nothing(server: Server, client: Client) -> None:
    client.post("/api/pipelines", document(name="My secret flowers"))
    file = str(server.application.settings.workspace.root / "token")
    asked = [sys.executable, "-c", AS_NOBODY, str(client.port), file, *paths()]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^(\d{3}) /", done.stdout, re.MULTILINE) == ["401"] * len(paths())
    credentials = server.application.credentials
    for secret in (client.token, credentials.code, credentials.page_token, "secret flowers"):
        assert secret not in done.stdout
    assert done.stdout.endswith("closed\n")
