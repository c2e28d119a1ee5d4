"""Archives of the web as sources: kept, checked, refused; what is foreseen of them."""

from __future__ import annotations

import io
import shutil
import socket
import zipfile
from typing import Any

import pytest

from modules.datasets import web_source
from modules.datasets.import_images import ImportParameters, import_images
from modules.datasets.web_source import parse_web
from modules.downloads.download import download
from modules.errors import (
    FailedToDownloadFilesError,
    InvalidDatasetError,
    SourceNotAllowedError,
)
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from tests.modules.conftest import Workplace
from tests.modules.downloads.web import ALLOWED, CONTENT, QUICK, SHA256, Site, archive, serving

pytestmark = pytest.mark.usefixtures("downloads_allowed")


def imported(url: str, workplace: Workplace) -> Any:
    return import_images(ImportParameters(source=url), workplace.context()).dataset


def fingerprint(url: str, workplace: Workplace) -> str:
    assert import_images.fingerprint is not None
    return import_images.fingerprint(ImportParameters(source=url), workplace.context())


def kept(workplace: Workplace) -> list[str]:
    files = (workplace.root / "cache" / "downloads").rglob("*")
    return sorted(each.name for each in files if each.is_file() and each.name != ".lock")


def test_an_archive_is_fetched_once_and_converted(
    site: Site, url: str, workplace: Workplace
) -> None:
    dataset = imported(url, workplace)
    found = convert_to_image_directory(dataset, ConvertParameters(), workplace.context())
    assert len(found.output_image_directory.images) == 6
    assert found.output_image_directory.classes == ("a", "b")
    assert imported(url, workplace).location.read_bytes() == CONTENT
    assert len(site.requests) == 1
    assert "birds.zip" in workplace.summary


def test_later_runs_need_no_network(site: Site, workplace: Workplace) -> None:
    with serving(site) as address:
        url = f"{address}/birds.zip"
        before = fingerprint(url, workplace)
        imported(url, workplace)
    assert imported(url, workplace).location.read_bytes() == CONTENT
    assert fingerprint(url, workplace) == before == f"web:{SHA256}"
    shutil.rmtree(workplace.root / "cache")
    assert fingerprint(f"{url}#sha256={SHA256}", workplace) == before  # asks for nothing


def test_what_came_first_counts_until_it_is_removed(
    site: Site, url: str, workplace: Workplace
) -> None:
    first = fingerprint(url, workplace)
    site.content, site.etag = archive(8), '"2"'
    assert fingerprint(url, workplace) == first
    shutil.rmtree(workplace.root / "cache" / "downloads")
    assert fingerprint(url, workplace) != first


def test_the_artifact_outlives_the_cache(url: str, workplace: Workplace) -> None:
    dataset = imported(url, workplace)
    shutil.rmtree(workplace.root / "cache")
    dataset.check()
    assert dataset.location.is_relative_to(dataset.path)


def test_looking_ahead_downloads_nothing(
    site: Site, url: str, workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_source, "HEAD_SECONDS", 60.0)  # the server shares the cores
    context = workplace.context()
    context.may_download = False
    source = parse_web("http")(url.removeprefix("http:"))
    assert "not downloaded" in source.fingerprint(context)
    assert source.forecast(context).num_bytes == len(CONTENT)
    assert site.requests == []
    imported(url, workplace)
    assert source.forecast(context).num_images == 6
    assert source.fingerprint(context) == f"web:{SHA256}"


def test_another_hash_is_refused_and_nothing_kept(
    site: Site, url: str, workplace: Workplace
) -> None:
    with pytest.raises(FailedToDownloadFilesError, match=SHA256) as caught:
        imported(f"{url}#sha256={'0' * 64}", workplace)
    assert caught.value.code == "0162"
    assert kept(workplace) == []
    assert len(site.requests) == 1


def test_a_file_put_there_by_hand_is_held_against_the_hash(url: str, workplace: Workplace) -> None:
    source = f"{url}#sha256={SHA256}"
    imported(source, workplace)
    (path,) = (workplace.root / "cache" / "downloads").rglob("*.zip")
    path.unlink()
    path.write_bytes(archive(3))
    with pytest.raises(FailedToDownloadFilesError, match="did not match"):
        imported(source, workplace)
    assert imported(source, workplace).location.read_bytes() == CONTENT


def test_a_page_instead_of_an_archive_is_refused_and_not_kept(
    site: Site, url: str, workplace: Workplace
) -> None:
    site.content = b"<html>Please log in</html>" * 50
    with pytest.raises(InvalidDatasetError, match="is a web page"):
        imported(url, workplace)
    assert kept(workplace) == []
    site.content = CONTENT
    assert imported(url, workplace).location.read_bytes() == CONTENT


def test_a_bomb_is_refused_as_one_of_a_file_is(site: Site, url: str, workplace: Workplace) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("a/1.png", bytes(200 * 2**20))
    site.content = buffer.getvalue()
    with pytest.raises(InvalidDatasetError, match="may be a zip bomb"):
        convert_to_image_directory(
            imported(url, workplace), ConvertParameters(), workplace.context()
        )


def test_without_a_network_it_says_where_the_file_belongs(workplace: Workplace) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed_soon:
        port = closed_soon.getsockname()[1]
    source = parse_web("http")(f"//localhost:{port}/birds.zip")
    with pytest.raises(FailedToDownloadFilesError) as caught:
        download(source.address, source._path(workplace.context()), lambda *_: None, QUICK)
    folder = workplace.root / "cache" / "downloads" / source.address.folder_name
    assert f"copy the file to {folder} as birds.zip" in caught.value.cure
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "birds.zip").write_bytes(CONTENT)
    assert imported(source.address.url, workplace).location.read_bytes() == CONTENT


PRIVATE = [
    "127.0.0.1",
    "localhost",
    "0x7f.1",
    "2130706433",
    "10.1.2.3",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "[fd00::1]",
]


@pytest.mark.parametrize("host", PRIVATE)
def test_private_machines_are_asked_only_where_the_user_allows(
    host: str, site: Site, url: str, workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ALLOWED, "elsewhere.example, otherhost:1")
    with pytest.raises(SourceNotAllowedError, match="private network"):
        imported(f"https://{host}:{site.port}/birds.zip", workplace)
    assert site.requests == []
    monkeypatch.setenv(ALLOWED, f"LOCALHOST:{site.port}")
    assert imported(url, workplace).location.read_bytes() == CONTENT


def test_plain_http_needs_a_hash(workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ALLOWED)
    with pytest.raises(SourceNotAllowedError, match="not encrypted"):
        imported("http://example.org/birds.zip", workplace)
    parse_web("http")(f"//example.org/birds.zip#sha256={SHA256}").check(workplace.context())


@pytest.mark.parametrize(
    "text",
    [
        "https://",
        "https:///birds.zip",
        "https:birds.zip",
        "https://exa mple.org/x.zip",
        "https://example.org:notaport/x.zip",
        "https://[::1/x.zip",
        "https://user:secret@example.org/x.zip",
        "https://example.org/x.zip#sha256=12",
        "https://example.org/x.zip#md5=12",
        "https://exa\r\nmple.org/x.zip",
        f"https://{'a' * 300}.org/x.zip",
    ],
)
def test_what_is_no_address_is_said_before_the_run(text: str) -> None:
    assert import_images.check is not None
    (finding,) = import_images.check(ImportParameters(source=text))
    assert finding.severity == "error"
    assert "secret" not in finding.message
