"""A machine is offline if the user says so, or without a route and a proxy."""

from __future__ import annotations

import socket
import urllib.request

import pytest

from modules.downloads import offline
from modules.downloads.offline import OFFLINE_VARIABLE, is_offline


@pytest.mark.parametrize(
    ("variable", "proxies", "has_route", "expected"),
    [
        ("", {}, True, False),
        ("", {}, False, True),
        ("", {"https": "http://127.0.0.1:9"}, False, False),
        ("1", {"https": "http://127.0.0.1:9"}, True, True),
        ("0", {}, False, False),
        ("false", {}, False, False),
    ],
)
def test_the_variable_decides_then_a_proxy_then_a_route(
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    proxies: dict[str, str],
    has_route: bool,
    expected: bool,
) -> None:
    monkeypatch.setenv(OFFLINE_VARIABLE, variable)
    monkeypatch.setattr(urllib.request, "getproxies", lambda: proxies)
    address = "127.0.0.1" if has_route else "::1 is no address of this family"
    monkeypatch.setattr(offline, "_OUTSIDE", ((socket.AF_INET, address),))
    assert is_offline() is expected
