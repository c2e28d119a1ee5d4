"""Formats of exported models, the packages that they need, and their files."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Literal, get_args

from modules.errors import ModelNotExportedError
from modules.sentences import export as say

Format = Literal["onnx", "onnx-int8", "torch-export", "safetensors"]
FORMATS: tuple[Format, ...] = get_args(Format)
SUFFIXES: Mapping[Format, str] = {
    "onnx": ".onnx",
    "onnx-int8": ".onnx",
    "torch-export": ".pt2",
    "safetensors": ".safetensors",
}
ONNX_PACKAGES = ("onnx", "onnxruntime", "onnxscript")


def is_onnx(chosen: Format) -> bool:
    """Return True for files that ONNX Runtime opens."""
    return chosen in ("onnx", "onnx-int8")


def missing_packages(chosen: Format) -> list[str]:
    """Return the packages that a format needs and that are not installed."""
    needed = ONNX_PACKAGES if is_onnx(chosen) else ()
    return [name for name in needed if find_spec(name) is None]


def check_packages(chosen: Format) -> None:
    """Raise 3105 if packages of a format are missing."""
    missing = missing_packages(chosen)
    if missing:
        raise ModelNotExportedError(say.PACKAGES_MISSING, format=chosen, packages=missing)
