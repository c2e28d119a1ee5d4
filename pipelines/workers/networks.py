"""Network addresses at which the nodes of a step reach each other."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Interface
from typing import Any

from modules.context import Machine

LOOPBACK = "127.0.0.1"
INSIDE_A_MACHINE = ("lo", "docker", "br-", "veth", "virbr", "cni", "flannel", "podman")
"""Prefixes of interfaces that lead to no other machine."""
NOWHERE = "192.0.2.1"
"""Address reserved for documentation: querying the route to it sends nothing."""


def own_networks() -> dict[str, str]:
    """Return this machine's external IPv4 networks: interface to ``address/bits``."""
    import psutil

    networks: dict[str, str] = {}
    for name, addresses in psutil.net_if_addrs().items():
        for address in addresses:
            if address.family == socket.AF_INET and address.netmask and not _is_inside(name):
                networks[name] = str(IPv4Interface(f"{address.address}/{address.netmask}"))
    return networks


def _is_inside(name: str) -> bool:
    return name.startswith(INSIDE_A_MACHINE)


def meeting_address(nodes: Sequence[Mapping[str, Any]], interface: str | None) -> str:
    """Return the first node's address in a network of all nodes, or on the given interface.

    Raises ``LookupError`` if the first node has no such interface.
    """
    if len(nodes) == 1:
        return LOOPBACK
    networks = {name: IPv4Interface(network) for name, network in nodes[0]["networks"].items()}
    if interface is not None:
        return str(networks[interface].ip)
    for own in networks.values():
        others = [_within(own, node) for node in nodes[1:]]
        addresses = {own.ip, *others}
        if None not in addresses and len(addresses) == len(nodes):
            return str(own.ip)
    return address_towards(NOWHERE)


def _within(network: IPv4Interface, node: Mapping[str, Any]) -> Any:
    for candidate in node["networks"].values():
        address = IPv4Interface(candidate).ip
        if address in network.network:
            return address
    return None


def address_towards(host: str) -> str:
    """Return this machine's address on the route to another one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((host, 9))
        return str(probe.getsockname()[0])


def interface_of(address: str) -> str | None:
    """Return the interface with this address; None if there is none."""
    import psutil

    for name, addresses in psutil.net_if_addrs().items():
        if any(entry.address == address for entry in addresses):
            return str(name)
    return None


def machine_towards(address: str, node_rank: int) -> Machine:
    """Return this machine as the others reach it; ``address`` is the first node's."""
    own = address if node_rank == 0 else address_towards(address)
    networks = [IPv4Interface(network) for network in own_networks().values()]
    network = next(
        (str(candidate.network) for candidate in networks if str(candidate.ip) == own), None
    )
    return Machine(own, interface_of(own), network)
