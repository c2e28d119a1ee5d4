"""Reference of modules, errors, commands and files in Markdown, generated from their definitions.

The same definitions always produce the same text. This module does not import torch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modules.catalog import Catalog
from modules.catalog_spec import ModuleSpec, ParameterSpec, PortSpec, catalog_spec
from modules.models.weights_source import weights_sources
from pipelines.problems import error_reference
from pipelines.reference.output_files import FILES
from pipelines.sentences import _

SECTIONS = ("modules", "errors", "commands", "files")

ORIGINALS = frozenset(
    {
        "convert_to_image_directory",
        "split_image_directory",
        "init_image_transformation",
        "apply_image_transformation",
        "densenet",
        "resnet",
        "train_pytorch_model",
        "tune_model_hyperparameters",
        "score_image_model",
        "evaluate_model",
    }
)
"""Ids of modules that have a page of the same title in Azure Machine Learning designer's
"Algorithm & component reference"."""


@dataclass(frozen=True)
class CommandFacts:
    """Help of a command: its words, description, arguments and options."""

    words: str
    help: str
    arguments: tuple[tuple[str, str, str], ...]
    """Rows of name, "required" or "optional", and help."""
    options: tuple[tuple[str, str, str], ...]
    """Rows of spellings with values, default, and help."""


def reference(
    catalog: Catalog,
    commands: Sequence[CommandFacts],
    section: str | None = None,
    weights_dir: Path | None = None,
) -> str:
    """Return the reference as one Markdown page.

    Args:
        catalog: The modules to describe.
        commands: The commands to describe.
        section: One of ``SECTIONS``; None for all of them.
        weights_dir: Folder of downloaded weights; None describes any machine.
    """
    pages = {
        "modules": lambda: _modules_page(catalog, weights_dir),
        "errors": _errors_page,
        "commands": lambda: _commands_page(commands),
        "files": _files_page,
    }
    chosen = SECTIONS if section is None else (section,)
    return "\n\n".join(pages[name]() for name in chosen) + "\n"


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; bars in cells are escaped, line breaks become spaces."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(value: object) -> str:
    return _escaped(" ".join(str(value).split())).replace("|", "\\|")


def _prose(docstring: str) -> str:
    """Return a docstring as Markdown with single backticks and one line per paragraph."""
    paragraphs = re.split(r"\n\s*\n", _escaped(docstring.replace("``", "`")))
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _escaped(text: str) -> str:
    """Escape HTML outside code spans."""
    spans = re.split(r"(`[^`]*`)", text)
    return "".join(span if span[:1] == "`" else span.replace("<", "&lt;") for span in spans)


def _code(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"`{text}`" if text else '`""`'


def _heading(title: str) -> str:
    return f"# {title}"


# modules


def _modules_page(catalog: Catalog, weights_dir: Path | None) -> str:
    parts = [_module_part(module, weights_dir) for module in catalog_spec(catalog).modules]
    return "\n\n".join([_heading(_("Modules")), *parts])


def module_pages(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Yield the id of each module and a Markdown page about it."""
    for module in catalog_spec(catalog).modules:
        page = re.sub(r"^#(#+) ", r"\1 ", _module_part(module), flags=re.MULTILINE)
        yield module.id, f"{page}\n"


def _module_part(module: ModuleSpec, weights_dir: Path | None = None) -> str:
    parts = [
        f"## {module.title}",
        _(
            "`{id}`, version {version}, in {category}.",
            id=module.id,
            version=module.version,
            category=module.category,
        ),
        _origin(module),
        _prose(module.summary),
        _prose(module.description),
        *_ports_part(_("Inputs"), module.inputs),
        *_parameters_part(module.parameters),
        *_weights_part(module.parameters, weights_dir),
        *_ports_part(_("Outputs"), module.outputs),
    ]
    if module.distributed:
        parts.append(_("It supports several processes on one or several machines."))
    if module.stoppable:
        parts.append(
            _("It can be stopped early and then outputs its best result so far (*Finish early*).")
        )
    return "\n\n".join(part for part in parts if part)


def _origin(module: ModuleSpec) -> str:
    if module.id in ORIGINALS:
        return _('Based on "{module}" of Azure Machine Learning designer.', module=module.title)
    return "" if module.origin == "import" else _("Defined in the workspace or in a package.")


def _ports_part(heading: str, ports: list[PortSpec]) -> list[str]:
    if not ports:
        return []
    rows = [
        (
            port.title + (f" ({_('optional')})" if port.optional else ""),
            _code(port.id),
            _code(port.type),
            port.description,
        )
        for port in ports
    ]
    return [f"### {heading}", table((_("Port"), _("Id"), _("Type"), _("Description")), rows)]


def _parameters_part(parameters: list[ParameterSpec]) -> list[str]:
    if not parameters:
        return []
    columns = (
        _("Parameter"),
        _("Id"),
        _("Type"),
        _("Default"),
        _("Range"),
        _("Unit"),
        _("Help"),
    )
    rows = [
        (
            parameter.title,
            _code(parameter.id),
            _("{type} or null", type=parameter.type) if parameter.nullable else parameter.type,
            _("required") if parameter.required else _code(_default(parameter)),
            _range(parameter),
            parameter.unit,
            f"{parameter.help} {_condition(parameter, parameters)}",
        )
        for parameter in parameters
    ]
    return [f"### {_('Parameters')}", table(columns, rows)]


def _weights_part(parameters: list[ParameterSpec], weights_dir: Path | None) -> list[str]:
    """Return the sources of ImageNet weights by network, of a module that has such weights."""
    by_id = {parameter.id: parameter for parameter in parameters}
    if not {"model_name", "pretrained"} <= by_id.keys():
        return []
    names = by_id["model_name"].choices or by_id["model_name"].suggestions
    sources = weights_sources(map(str, names), weights_dir)
    rows = [(_code(name), source.message) for name, source in sources.items()]
    titles = (_("Model name"), _("Source"))
    return [f"### {_('ImageNet weights')}", table(titles, rows)] if rows else []


def _default(parameter: ParameterSpec) -> Any:
    """Return the default of a parameter; of a program, its first line."""
    default = parameter.default
    if parameter.code and isinstance(default, str) and default:
        return default.splitlines()[0]
    return default


def _range(parameter: ParameterSpec) -> str:
    """Return the bounds or choices of a parameter as text; empty if it has none."""
    if parameter.choices:
        return ", ".join(map(_code, parameter.choices))
    bounds = (
        (">", parameter.exclusive_minimum),
        (">=", parameter.minimum),
        ("<", parameter.exclusive_maximum),
        ("<=", parameter.maximum),
    )
    parts = [f"{sign} {bound:g}" for sign, bound in bounds if bound is not None]
    if parameter.min_length is not None:
        parts.append(_("at least {count} characters", count=parameter.min_length))
    if parameter.max_length is not None:
        parts.append(_("at most {count} characters", count=parameter.max_length))
    return ", ".join(parts)


def _condition(parameter: ParameterSpec, parameters: list[ParameterSpec]) -> str:
    titles = {other.id: other.title for other in parameters}
    conditions = [
        _(
            "{parameter} is {values}",
            parameter=titles[condition.parameter],
            values=_(" or ").join(map(_code, condition.values)),
        )
        for condition in parameter.shown_when
    ]
    if not conditions:
        return ""
    return _("Applies if {conditions}.", conditions=_(" and ").join(conditions))


# errors, commands, files


def _errors_page() -> str:
    rows = [(_code(error["code"]), error["name"], error["when"]) for error in error_reference()]
    return f"{_heading(_('Errors'))}\n\n{table((_('Code'), _('Name'), _('When')), rows)}"


def _commands_page(commands: Sequence[CommandFacts]) -> str:
    return "\n\n".join([_heading(_("Commands")), *map(_command_part, commands)])


def _command_part(command: CommandFacts) -> str:
    parts = [f"## `{command.words}`", _prose(command.help)]
    if command.arguments:
        parts.append(table((_("Argument"), "", _("Help")), command.arguments))
    if command.options:
        parts.append(table((_("Option"), _("Default"), _("Help")), command.options))
    return "\n\n".join(part for part in parts if part)


def _files_page() -> str:
    parts = [_heading(_("Files"))]
    for heading, rows in FILES.items():
        parts += [
            f"## {heading}",
            table((_("File"), _("Contents")), [(_code(a), b) for a, b in rows]),
        ]
    return "\n\n".join(parts)
