"""Which machines are asked: those of the internet, and those that the user names.

A pipeline comes from anywhere. Its addresses must not reach what only this machine can: its own
services, those of the network behind it, the metadata of a cloud.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from ipaddress import IPv4Address, IPv6Address

from modules.downloads.address import Address
from modules.errors import SourceNotAllowedError
from modules.sentences import downloads as say

ALLOWED_HOSTS_VARIABLE = "DESIGNER_ALLOWED_DOWNLOAD_HOSTS"
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def is_named(address: Address) -> bool:
    """True for a host that the user allows by name, with or without the port."""
    listed = os.environ.get(ALLOWED_HOSTS_VARIABLE, "").lower().split(",")
    names = {each.strip() for each in listed}
    host = f"[{address.host}]" if ":" in address.host else address.host
    return bool(names & {address.host, host, f"{host}:{address.port}"})


def require_safe_scheme(address: Address) -> None:
    """Raise for plain http where nothing would show that the bytes were changed on their way."""
    if address.scheme == "http" and address.sha256 is None and not is_named(address):
        raise SourceNotAllowedError(
            say.NOT_ENCRYPTED,
            url=address.url[:300],
            variable=ALLOWED_HOSTS_VARIABLE,
            parameter="source",
        )


def allowed_ips(address: Address) -> list[str]:
    """The IP addresses to connect to, looked up now.

    Raises ``SourceNotAllowedError`` where all of them are private, ``OSError`` where there is
    none. Whoever connects must use one of these and not look up the name again: the next answer
    may be another one.
    """
    found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    ips = list(dict.fromkeys(str(each[4][0]) for each in found))
    allowed = ips if is_named(address) else [ip for ip in ips if _is_public(ip)]
    if not allowed:
        raise SourceNotAllowedError(
            say.PRIVATE_ADDRESS,
            host=address.host,
            ip=ips[0],
            variable=ALLOWED_HOSTS_VARIABLE,
            parameter="source",
        )
    return allowed


def _is_public(text: str) -> bool:
    ip = _embedded(ipaddress.ip_address(text.partition("%")[0]))
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _embedded(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 one leads to, where it is only a wrapping."""
    if isinstance(ip, IPv4Address):
        return ip
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or ip
