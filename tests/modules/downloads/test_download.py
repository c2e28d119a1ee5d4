"""Downloads: resumed, bounded, checked; servers that fail, lie or lead elsewhere."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from modules.datasets.web_source import WebSource, parse_web
from modules.downloads.address import parse_address
from modules.downloads.download import DownloadLimits, download
from modules.errors import (
    FailedToDownloadFilesError,
    NotInRangeValueError,
    SourceNotAllowedError,
)
from tests.modules.downloads.web import (
    ALLOWED,
    CONTENT,
    QUICK,
    SHA256,
    Site,
    archive,
    make_certificate,
    serving,
)

pytestmark = pytest.mark.usefixtures("downloads_allowed")


def fetch(url: str, folder: Path, limits: DownloadLimits = QUICK) -> Path:
    path = folder / "birds.zip"
    download(parse_address(url), path, lambda *_: None, limits)
    return path


def test_a_cut_connection_is_taken_up_again(site: Site, url: str, tmp_path: Path) -> None:
    site.cuts = [100, 50, 300]
    assert fetch(url, tmp_path).read_bytes() == CONTENT
    assert site.starts == [0, 100, 150, 450]
    assert site.requests[1][2]["If-Range"] == '"1"'
    assert sorted(os.listdir(tmp_path)) == [".lock", "birds.zip"]


def test_parts_of_two_versions_are_never_joined(site: Site, url: str, tmp_path: Path) -> None:
    site.cuts, site.statuses = [100], []
    with pytest.raises(FailedToDownloadFilesError):
        fetch(url, tmp_path, DownloadLimits(attempts=1))
    site.content, site.etag = archive(9), '"2"'
    assert fetch(url, tmp_path).read_bytes() == archive(9)


@pytest.mark.parametrize("pinned", [True, False])
def test_a_server_without_tags_is_resumed_only_where_a_hash_proves_it(
    site: Site, url: str, tmp_path: Path, pinned: bool
) -> None:
    site.etag, site.cuts = None, [100]
    assert fetch(f"{url}#sha256={SHA256}" if pinned else url, tmp_path).read_bytes() == CONTENT
    assert site.starts == [0, 100 if pinned else 0]


def test_a_server_that_ignores_ranges_sends_it_anew(site: Site, url: str, tmp_path: Path) -> None:
    site.knows_ranges, site.cuts = False, [100]
    assert fetch(url, tmp_path).read_bytes() == CONTENT


def test_a_killed_download_goes_on_where_it_was(site: Site, url: str, tmp_path: Path) -> None:
    site.content = os.urandom(3_000_000)
    site.drip = threading.Event()
    program = (
        "import sys; from pathlib import Path\n"
        "from modules.downloads.address import parse_address\n"
        "from modules.downloads.download import download\n"
        "download(parse_address(sys.argv[1]), Path(sys.argv[2]), lambda *_: None)"
    )
    path = tmp_path / "birds.zip"
    child = subprocess.Popen([sys.executable, "-c", program, url, str(path)])
    while not (tmp_path / ".partial").exists() or (tmp_path / ".partial").stat().st_size < 10**6:
        assert child.poll() is None
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    site.drip.set()
    assert not path.exists()
    assert fetch(url, tmp_path).read_bytes() == site.content
    assert site.starts[1] >= 10**6


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_refusal_is_not_repeated(site: Site, url: str, tmp_path: Path, status: int) -> None:
    site.statuses = [status] * 9
    with pytest.raises(FailedToDownloadFilesError, match=str(status)):
        fetch(url, tmp_path)
    assert len(site.requests) == 1


def test_a_busy_server_is_asked_again_but_not_for_ever(
    site: Site, url: str, tmp_path: Path
) -> None:
    site.statuses = [503, 429]
    assert fetch(url, tmp_path / "1").read_bytes() == CONTENT
    site.statuses, site.requests = [503] * 9, []
    with pytest.raises(FailedToDownloadFilesError, match="503"):
        fetch(url, tmp_path / "2")
    assert len(site.requests) == QUICK.attempts


def test_a_wrong_length_never_gives_a_file(site: Site, url: str, tmp_path: Path) -> None:
    site.length, site.cuts = len(CONTENT) + 10, [len(CONTENT)] * 9
    with pytest.raises(FailedToDownloadFilesError):
        fetch(url, tmp_path)
    assert not (tmp_path / "birds.zip").exists()


def test_no_more_than_the_limit_is_taken(
    site: Site, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESIGNER_MAX_DOWNLOAD_BYTES", "1000")
    site.content = bytes(5000)
    with pytest.raises(FailedToDownloadFilesError, match="1,000 bytes"):
        fetch(url, tmp_path, DownloadLimits(pause_seconds=0.0))
    assert os.listdir(tmp_path) == [".lock"]


def test_a_server_that_drips_is_left(site: Site, url: str, tmp_path: Path) -> None:
    site.content, site.drip = bytes(100_000), threading.Event()
    site.drip.set()
    with pytest.raises(FailedToDownloadFilesError, match="in a minute"):
        fetch(url, tmp_path, DownloadLimits(slow_seconds=-1, slow_bytes=10**6, attempts=1))


def test_what_tell_raises_ends_it_at_once(site: Site, url: str, tmp_path: Path) -> None:
    class Cancelled(Exception):
        pass

    def tell(done: int, _total: int | None) -> None:
        if done:
            raise Cancelled

    site.drip = threading.Event()
    with pytest.raises(Cancelled):
        download(parse_address(url), tmp_path / "birds.zip", tell)
    site.drip.set()


def test_a_redirect_is_checked_like_an_address(site: Site, url: str, tmp_path: Path) -> None:
    site.redirects = {"/birds.zip": "/other.zip"}
    assert fetch(url, tmp_path / "1").read_bytes() == CONTENT
    site.redirects = {"/birds.zip": f"http://127.0.0.1:{site.port}/other.zip"}
    with pytest.raises(SourceNotAllowedError):
        fetch(f"{url}#sha256={SHA256}", tmp_path / "2")
    site.redirects = {"/birds.zip": "file:///etc/passwd"}
    with pytest.raises(NotInRangeValueError):
        fetch(url, tmp_path / "3")
    site.redirects = {"/birds.zip": "/birds.zip"}
    with pytest.raises(FailedToDownloadFilesError, match="more than 5 times"):
        fetch(url, tmp_path / "4")


def test_the_name_is_looked_up_once_and_that_answer_used(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: str, *arguments: Any, **named: Any) -> Any:
        if host == "localhost":
            looked_up.append(host)
        return real(host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    fetch(url, tmp_path)
    assert looked_up == ["localhost"]


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    return make_certificate(tmp_path)


def test_tls_is_verified(
    site: Site, certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(site, certificate) as address:
        with pytest.raises(FailedToDownloadFilesError, match="certificate"):
            fetch(f"{address}/birds.zip", tmp_path / "1")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert fetch(f"{address}/birds.zip", tmp_path / "2").read_bytes() == CONTENT
        monkeypatch.setenv(ALLOWED, "127.0.0.1")
        with pytest.raises(FailedToDownloadFilesError, match="certificate"):
            fetch(f"https://127.0.0.1:{site.port}/birds.zip", tmp_path / "3")


def test_https_never_leads_to_http(
    site: Site, certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    plain = Site(CONTENT)
    with serving(site, certificate) as address, serving(plain) as elsewhere:
        site.redirects = {"/birds.zip": f"{elsewhere}/birds.zip"}
        with pytest.raises(SourceNotAllowedError, match="not encrypted"):
            fetch(f"{address}/birds.zip#sha256={SHA256}", tmp_path / "1")
    assert plain.requests == []


def test_a_proxy_is_used_and_private_names_stay_refused(
    site: Site, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", url.replace("http://", "http://me:secret@"))
    monkeypatch.setenv("https_proxy", url)
    away = f"http://files.invalid/birds.zip#sha256={SHA256}"
    assert fetch(away, tmp_path / "1").read_bytes() == CONTENT
    assert site.requests[0][1] == "http://files.invalid/birds.zip"
    assert site.requests[0][2]["Proxy-Authorization"].startswith("Basic ")
    with pytest.raises(SourceNotAllowedError):
        fetch("https://127.0.0.1/birds.zip", tmp_path / "2")
    monkeypatch.setenv("no_proxy", "localhost")
    fetch(url, tmp_path / "3")
    assert site.requests[-1][1] == "/birds.zip"


def test_https_goes_through_a_tunnel(
    site: Site, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", url)
    with pytest.raises(FailedToDownloadFilesError):  # this proxy answers without TLS
        fetch("https://files.invalid/birds.zip", tmp_path, DownloadLimits(attempts=1))
    assert site.requests[0][:2] == ("CONNECT", "files.invalid:443")


def test_names_of_files_are_safe_on_any_disk() -> None:
    for path, name in {
        "/a/birds.zip?x=../../etc": "birds.zip",
        "/..%2f..%2fetc%2fpasswd": "_.._etc_passwd",
        "/": "archive",
        "/.partial": "partial",
        "/%00%0a.zip": "__.zip",
        "/Käse.zip": "Käse.zip",
    }.items():
        assert parse_address(f"https://example.org{path}").file_name == name
    assert "\r" not in parse_address("https://example.org/a%0d%0aHost: x").target
    assert isinstance(parse_web("https")("//example.org/a.zip"), WebSource)
