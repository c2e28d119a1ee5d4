"""Ports that are held until torch takes them."""

from __future__ import annotations

import socket

import pytest

from modules.scripts.launchers.ports import free_ports, held_ports


def test_a_held_port_is_refused_to_others_and_given_to_who_shares_addresses() -> None:
    with held_ports(1, first=0) as [port]:
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind(("127.0.0.1", port))
        with socket.socket() as ours:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            ours.bind(("127.0.0.1", port))
            ours.listen()
            with socket.create_connection(("127.0.0.1", port), timeout=10):
                pass


def test_two_launches_at_once_get_different_ports() -> None:
    with held_ports(2) as first, held_ports(2) as second:
        assert len({*first, *second}) == 4


def test_free_ports_are_held_no_longer() -> None:
    [port] = free_ports(1)
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
