"""Detection of a machine without a network, which sends nothing."""

from __future__ import annotations

import os
import socket
import urllib.request

OFFLINE_VARIABLE = "DESIGNER_OFFLINE"
_OUTSIDE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses outside of every network, reserved for documentation (RFC 5737, RFC 3849)."""
_PORT = 443


def is_offline() -> bool:
    """Return True if downloads cannot succeed: by the variable, or without a route or a proxy.

    A firewall is noticed only by a download.
    """
    chosen = os.environ.get(OFFLINE_VARIABLE, "").strip().lower()
    if chosen:
        return chosen not in ("0", "false", "no")
    return "https" not in urllib.request.getproxies() and not _has_route()


def _has_route() -> bool:
    return any(_routes(family, address) for family, address in _OUTSIDE)


def _routes(family: socket.AddressFamily, address: str) -> bool:
    """Return True if packets to the address would leave this machine."""
    try:
        # A datagram socket only looks up the route when it is connected.
        with socket.socket(family, socket.SOCK_DGRAM) as unconnected:
            unconnected.connect((address, _PORT))
    except OSError:
        return False
    return True
