"""Takes away from a Python process on Linux what another system lacks, and answers as that system.

``PYTHONPATH`` begins with ``windows`` or ``macos`` beside this file, whose ``sitecustomize`` each
Python process loads first. Libraries, which are built for Linux, still see Linux; the product's own
files see the other system. What nothing here can show: paths with backslashes, the real calls of
``msvcrt``, and how libraries behave there.
"""

from __future__ import annotations

import os
import signal
import sys
import sysconfig
from collections.abc import Callable, Mapping
from types import FrameType, ModuleType
from typing import Any

import psutil  # noqa: F401  # needs what is taken away

PRODUCT = {"modules", "pipelines", "designer_app"}
MAY_LOOK = ("psutil", "tests.other_systems.open_files")
"""Whose code stands for what the other system tells by other means."""
PLACES_OF_LINUX = ("/proc", "/sys", "/dev/")
LINUX_ONLY: Mapping[ModuleType, tuple[str, ...]] = {
    os: ("sched_getaffinity", "pidfd_open", "posix_fallocate", "posix_fadvise", "memfd_create"),
    signal: ("sigtimedwait", "sigwaitinfo", "pidfd_send_signal"),
}
Rule = Callable[..., None]


def hide(lacking: Mapping[ModuleType, tuple[str, ...]], modules: tuple[str, ...] = ()) -> None:
    """Take names of the standard library away, and whole modules."""
    for holder, names in lacking.items():
        for name in names:
            if hasattr(holder, name):
                delattr(holder, name)
    sys.modules.update(dict.fromkeys(modules))  # type: ignore[arg-type]


def answer_as(platform: str, name: str) -> None:
    """Have ``sys.platform`` and ``os.name`` be these for the product's own files."""
    sysconfig.get_config_vars()  # read once, from a file named for the platform
    _pretend(sys, "platform", platform)
    _pretend(os, "name", name)


def _pretend(module: ModuleType, attribute: str, value: str) -> None:
    real = getattr(module, attribute)

    def answer(_: object) -> str:
        return value if package_of(sys._getframe(1)) in PRODUCT else real

    module.__class__ = type("PretendedPlatform", (ModuleType,), {attribute: property(answer)})


def package_of(frame: FrameType) -> str:
    """The outermost package of the code that a frame runs; empty for none."""
    return str(frame.f_globals.get("__package__") or "").partition(".")[0]


def watch(rules: Mapping[str, Rule]) -> None:
    """Put these rules, by the audit events of Python, before what the process does with files."""
    places = dict.fromkeys(("open", "os.listdir", "os.scandir"), _refuse_places_of_linux)

    def see(event: str, arguments: tuple[Any, ...]) -> None:
        for rule in (places.get(event), rules.get(event)):
            if rule is not None:
                rule(*arguments)

    sys.addaudithook(see)


def _refuse_places_of_linux(path: object, *_: object) -> None:
    hidden = isinstance(path, str) and path.startswith(PLACES_OF_LINUX) and path != os.devnull
    if hidden and not _may_look():
        raise FileNotFoundError(2, "No such file or directory", path)


def _may_look() -> bool:
    frame: FrameType | None = sys._getframe(3)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(MAY_LOOK):
            return True
        frame = frame.f_back
    return False
