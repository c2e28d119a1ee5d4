"""Seeds for all that is random, made from what it may depend on."""

from __future__ import annotations

import hashlib


def derived_seed(*facts: int | str) -> int:
    """A seed below 2**63 that differs for any other facts."""
    text = "/".join(map(str, facts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
