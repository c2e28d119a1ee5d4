"""Conda files: the packages that an index of wheels has, and those left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from modules.sentences.sentence import Sentence, Statement
from pipelines.environments.definition import EnvironmentDefinition
from pipelines.environments.requirement_lines import MAX_LISTED, parse_requirements
from pipelines.errors import RefusedError
from pipelines.sentences import environments as say

RENAMED = {
    "msgpack-python": "msgpack",
    "opencv": "opencv-python-headless",
    "py-opencv": "opencv-python-headless",
    "pytables": "tables",
    "pytorch": "torch",
    "tensorflow-gpu": "tensorflow",
}
BROUGHT_ALONG = frozenset({"pip", "cuda", "cudatoolkit", "mkl", "pytorch-cuda", "pytorch-mutex"})
"""Packages that wheels include or do not need."""
ANSWERED = frozenset({"azureml-defaults", "azureml-core", "azureml-mlflow", "horovod"})
"""Packages that scripts can import anyway, answered by the designer."""
OF_THE_SYSTEM = frozenset(
    {"cmake", "cudnn", "ffmpeg", "gcc", "gcc_linux-64", "git", "gxx", "gxx_linux-64", "mpich"}
    | {"nccl", "nodejs", "openmpi", "r-base"}
)
NAME = re.compile(r"^(?:[\w.-]+(?:/[\w-]+)?::)?([A-Za-z0-9_.-]+)\s*(.*)$", re.DOTALL)


NOTHING = ("", "~", "null")
"""Values that YAML reads as null."""


class _StrictLoader(yaml.BaseLoader):
    """Loader that keeps all values as text, without tags, duplicate keys, or aliases, which can
    expand a short file to any size.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "tag", None) not in (None, "!"):
            raise yaml.YAMLError(say.NO_ALIASES.message)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if len({*keys}) < len(node.value):
            raise yaml.YAMLError(say.KEY_TWICE.message)
        return super().construct_mapping(node, deep=deep)


@dataclass
class _Conversion:
    """Result so far."""

    python: str = ""
    requirements: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    num_left_out: int = 0

    def leave_out(self, sentence: Sentence, item: object) -> None:
        self.num_left_out += 1
        if self.num_left_out <= MAX_LISTED:
            self.left_out.append(sentence.about({"what": item}).message)


def read_conda(text: str, file_name: str) -> EnvironmentDefinition:
    """Return the definition of a conda file. Raises ``RefusedError`` for an invalid one."""
    content = _parsed(text, file_name)
    conversion = _Conversion()
    if channels := _texts(content, "channels", file_name):
        conversion.leave_out(say.CHANNELS_LEFT_OUT, channels)
    for entry in _list(content, "dependencies", file_name):
        if isinstance(entry, Mapping):
            for line in _texts(entry, "pip", file_name):
                _take_pip(conversion, line)
        elif isinstance(entry, str):
            _take_conda(conversion, entry)
        else:
            raise _unreadable(file_name, say.NOT_TEXTS.about({"part": "dependencies"}))
    if (count := conversion.num_left_out - MAX_LISTED) > 0:
        conversion.left_out.append(say.MORE_LINES.about({"count": count}).message)
    return EnvironmentDefinition(
        requirements=parse_requirements(conversion.requirements),
        python=conversion.python,
        left_out=tuple(conversion.left_out),
    )


def _parsed(text: str, file_name: str) -> Mapping[str, Any]:
    try:
        content = yaml.load(text, Loader=_StrictLoader)
    except (yaml.YAMLError, ValueError) as error:
        raise _unreadable(file_name, " ".join(str(error).split())[:200]) from None
    except RecursionError:
        raise _unreadable(file_name, say.FILE_TOO_DEEP.about({})) from None
    if not isinstance(content, Mapping):
        raise _unreadable(file_name, say.NO_LIST.about({}))
    return content


def _texts(content: Mapping[str, Any], part: str, file_name: str) -> list[str]:
    """Return a list of texts in a file; empty if there is none."""
    texts = _list(content, part, file_name)
    if not all(isinstance(text, str) for text in texts):
        raise _unreadable(file_name, say.NOT_TEXTS.about({"part": part}))
    return texts


def _list(content: Mapping[str, Any], part: str, file_name: str) -> list[Any]:
    items = content.get(part, "")
    if items in NOTHING:
        return []
    if not isinstance(items, list):
        raise _unreadable(file_name, say.NOT_TEXTS.about({"part": part}))
    return items


def _unreadable(file_name: str, why: str | Statement) -> RefusedError:
    return RefusedError(say.FILE_UNREADABLE, file=file_name, reported=why)


def _take_pip(conversion: _Conversion, line: str) -> None:
    name = re.split(r"[\s=<>!~;\[]", line.strip(), maxsplit=1)[0].lower()
    if line.strip().startswith("-"):
        conversion.leave_out(say.OPTION_LEFT_OUT, line)
    elif name in ANSWERED:
        conversion.leave_out(say.ANSWERED_LEFT_OUT, line)
    else:
        conversion.requirements.append(line)


def _take_conda(conversion: _Conversion, line: str) -> None:
    match = NAME.match(line.strip())
    name, versions = (match[1].lower(), match[2].strip()) if match else (line, "")
    if name == "python":
        _take_python(conversion, versions)
    elif name in BROUGHT_ALONG:
        conversion.leave_out(say.BROUGHT_LEFT_OUT, name)
    elif name in OF_THE_SYSTEM:
        conversion.leave_out(say.SYSTEM_LEFT_OUT, name)
    elif name in ANSWERED:
        conversion.leave_out(say.ANSWERED_LEFT_OUT, name)
    else:
        conversion.requirements.append(RENAMED.get(name, name) + _versions(versions))


def _take_python(conversion: _Conversion, versions: str) -> None:
    """Read the Python version: a range stays, and a patch version is dropped."""
    if versions[:1] in "<>!":
        conversion.python = versions
        return
    version = versions.lstrip("=").partition("=")[0].strip().removesuffix(".*")
    conversion.python = ".".join(version.split(".")[:2])
    if version != conversion.python:
        conversion.leave_out(say.PATCH_LEFT_OUT, version)


def _versions(text: str) -> str:
    """Return pip's form of a version: ``=1.2`` is any 1.2, ``=1.2.3=build`` exactly 1.2.3."""
    if not text or text[0] in "<>!~":
        return ",".join(map(str.strip, text.split(","))).partition(" ")[0]
    version = text.lstrip("= ").replace(" ", "=").partition("=")[0]
    is_exact = text.startswith("==") or version.count(".") >= 2 or version.endswith("*")
    return f"=={version}" if is_exact else f"=={version}.*"
