"""One request to an address: a checked IP, verified TLS, bounded redirects, a proxy if set."""

from __future__ import annotations

import base64
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from threading import Timer
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from modules.downloads.address import Address
from modules.downloads.permission import allowed_ips, require_safe_scheme
from modules.errors import SourceNotAllowedError
from modules.sentences import downloads as say

TIMEOUT_SECONDS = 15.0
"""Maximum silence of a server."""
HEAD_SECONDS = 60.0
"""Maximum time until a server's response starts, even if bytes arrive slowly."""
MAX_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class UnusableAnswerError(OSError):
    """A response of a server or proxy that will not change on a retry."""


@contextmanager
def answer(
    address: Address,
    headers: Mapping[str, str],
    *,
    method: str = "GET",
    timeout: float = TIMEOUT_SECONDS,
) -> Iterator[HTTPResponse]:
    """Return the response after all redirects, each of them checked like the first address.

    Raises ``SourceNotAllowedError``, ``OSError`` and ``http.client.HTTPException``.
    """
    for _ in range(MAX_REDIRECTS + 1):
        require_safe_scheme(address)
        with _response(address, headers, method, timeout) as response:
            location = response.headers.get("Location")
            if response.status not in _REDIRECTS or not location:
                yield response
                return
        address = _redirected(address, location)
    raise UnusableAnswerError(say.TOO_MANY_REDIRECTS.about({"limit": MAX_REDIRECTS}))


@contextmanager
def _response(
    address: Address, headers: Mapping[str, str], method: str, timeout: float
) -> Iterator[HTTPResponse]:
    connection = HTTPConnection(address.host, address.port, timeout=timeout)
    with closing(connection):
        connection.sock = _secured(_open_socket(address, timeout), address)
        with _cut_after(HEAD_SECONDS, connection.sock):
            if isinstance(connection.sock, ssl.SSLSocket):
                connection.sock.do_handshake()
            connection.request(method, _asked(address), headers=_headers(address, headers))
            response = connection.getresponse()
        with closing(response):
            yield response


@contextmanager
def _cut_after(seconds: float, opened: socket.socket) -> Iterator[None]:
    """Close a connection that does not complete in this time; the socket timeout is per byte."""

    def cut() -> None:
        with suppress(OSError):
            socket.socket.shutdown(opened, socket.SHUT_RDWR)  # below TLS, which would wait

    timer = Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _redirected(address: Address, location: str) -> Address:
    target = address.joined(location)
    if address.scheme == "https" and target.scheme != "https":
        raise SourceNotAllowedError(
            say.LEAVES_ENCRYPTION,
            url=address.url[:300],
            target=target.url[:300],
            parameter="source",
        )
    return target


def _open_socket(address: Address, timeout: float) -> socket.socket:
    """Connect to a checked IP, or through the proxy; no name is looked up after this."""
    proxy = _proxy_for(address)
    if proxy is not None:
        return _through(proxy, address, timeout)
    return _first_open(allowed_ips(address), address.port, timeout)


def _first_open(ips: list[str], port: int, timeout: float) -> socket.socket:
    failure: OSError | None = None
    for ip in ips:
        try:
            return socket.create_connection((ip, port), timeout)
        except OSError as error:
            failure = error
    raise failure or OSError(say.NO_IP.about({}))


def _secured(opened: socket.socket, address: Address) -> socket.socket:
    """Wrap the socket in TLS if the address needs it; the handshake is not done yet."""
    if address.scheme == "http":
        return opened
    context = ssl.create_default_context()
    return context.wrap_socket(opened, server_hostname=address.host, do_handshake_on_connect=False)


def _proxy_for(address: Address) -> SplitResult | None:
    """Return the proxy from the environment (``HTTPS_PROXY``, ``HTTP_PROXY``, ``NO_PROXY``)."""
    proxies = getproxies()
    text = proxies.get(address.scheme) or proxies.get("all")
    if not text or proxy_bypass(f"{address.host}:{address.port}"):
        return None
    proxy = urlsplit(text if "://" in text else f"http://{text}")
    if proxy.scheme != "http" or not proxy.hostname:
        named = f"{proxy.scheme}://{proxy.hostname}"
        raise UnusableAnswerError(say.OTHER_PROXY.about({"proxy": named}))
    return proxy


def _through(proxy: SplitResult, address: Address, timeout: float) -> socket.socket:
    """Open a socket to the proxy, for https with a tunnel to the address.

    The proxy resolves the name, so the IP cannot be chosen here; names that resolve to a private
    machine here are rejected anyway.
    """
    with suppress(socket.gaierror):  # a machine behind a proxy may not resolve public names
        allowed_ips(address)
    connection = HTTPConnection(proxy.hostname or "", proxy.port or 80, timeout=timeout)
    if address.scheme == "https":
        connection.set_tunnel(address.host, address.port, _proxy_headers(proxy))
    connection.connect()
    return connection.sock


def _proxy_headers(proxy: SplitResult | None) -> dict[str, str]:
    if proxy is None or proxy.username is None:
        return {}
    secret = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(secret.encode()).decode()}"}


def _asked(address: Address) -> str:
    """Return the request target; a proxy for plain http needs the whole address."""
    return address.url if address.scheme == "http" and _proxy_for(address) else address.target


def _headers(address: Address, headers: Mapping[str, str]) -> dict[str, str]:
    own = {"Host": address.authority, "Accept-Encoding": "identity", "User-Agent": "designer"}
    if address.scheme == "http":
        own |= _proxy_headers(_proxy_for(address))
    return own | {**headers}
