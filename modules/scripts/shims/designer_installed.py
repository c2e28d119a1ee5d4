"""Preference for an installed package: a folder of ``PYTHONPATH`` would have precedence over it."""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from typing import MutableSequence

SHIMS = os.path.dirname(os.path.realpath(__file__))


def prefer_installed(name: str, path: "MutableSequence[str]") -> None:
    """Replace the stand-in that calls this by the installed package of that name.

    ``path`` is the stand-in's ``__path__``; if the installed one has no own code (a namespace
    package), its folders are put first in it.
    """
    others = [folder for folder in sys.path if os.path.realpath(folder or ".") != SHIMS]
    spec = PathFinder.find_spec(name, others)
    if spec is None:
        return
    if spec.loader is None:
        path[:0] = list(spec.submodule_search_locations or ())
        return
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
