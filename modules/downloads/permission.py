"""Hosts that may be contacted: public ones, and those that the user allows.

A pipeline may come from anyone. Its addresses must not reach services of this machine, of its
private network, or the metadata service of a cloud.
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
    """Return True for a host that the user allows by name, with or without the port."""
    listed = os.environ.get(ALLOWED_HOSTS_VARIABLE, "").lower().split(",")
    names = {host.strip() for host in listed}
    host = f"[{address.host}]" if ":" in address.host else address.host
    return bool(names & {address.host, host, f"{host}:{address.port}"})


def require_safe_scheme(address: Address) -> None:
    """Raise for plain http if changed bytes would not be detected."""
    if address.scheme == "http" and address.sha256 is None and not is_named(address):
        raise SourceNotAllowedError(
            say.NOT_ENCRYPTED,
            url=address.url[:300],
            variable=ALLOWED_HOSTS_VARIABLE,
            parameter="source",
        )


def allowed_ips(address: Address) -> list[str]:
    """Return the IP addresses to connect to, resolved now.

    Raises ``SourceNotAllowedError`` if all of them are private, ``OSError`` if there is none.
    Connect to one of these and do not resolve the name again: the next answer may differ.
    """
    infos = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    ips = list(dict.fromkeys(str(info[4][0]) for info in infos))
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
    """Return the IPv4 address embedded in an IPv6 address, if any."""
    if isinstance(ip, IPv4Address):
        return ip
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or ip
