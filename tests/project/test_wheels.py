"""All that is locked comes ready-made for Windows and macOS too."""

from __future__ import annotations

import json

import pytest

from tests.project import wheels


def test_the_registry_was_asked_about_this_very_lock() -> None:
    record = json.loads(wheels.RECORD.read_text(encoding="utf-8"))
    assert record["lock"] == wheels.lock_hash(), "Run make lock."
    asked = {name: tuple(found) for name, found in record["wheels"].items()}
    assert asked == dict.fromkeys(wheels.SYSTEMS, wheels.PYTHONS)


@pytest.fixture
def uv() -> str:
    found = wheels.find_uv()
    return found or pytest.skip("needs uv")


@pytest.mark.full
def test_the_registry_says_so_still(uv: str) -> None:
    assert wheels.ask(uv) == json.loads(wheels.RECORD.read_text(encoding="utf-8"))


@pytest.mark.full
def test_a_package_without_a_wheel_for_a_system_is_told(uv: str) -> None:
    with pytest.raises(LookupError, match=r"has no (usable )?wheels"):  # torch for one
        wheels.num_wheels(uv, "x86_64-apple-darwin", "3.12")
