"""Catalog of modules: an immutable mapping, passed as an argument, never a global registry.

``builtin_catalog()`` has the modules of this project, listed in one explicit tuple.
``pipelines.user_modules.workspace_catalog`` adds a workspace's own files and installed packages
that announce modules under the entry point group ``pipeline_designer.modules``. Modules that cannot
be loaded become a ``CatalogFailure`` with a fix and never block the others.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from modules.artifacts import Artifact
from modules.loading import CatalogFailure, Found, ModuleOrigin, load_module
from modules.module_texts import translated
from modules.sentences import declarations as say
from modules.spec import Module

__all__ = [
    "Catalog",
    "CatalogFailure",
    "Found",
    "ModuleOrigin",
    "builtin_catalog",
    "load_module",
]

BUILTIN_MODULES = (
    "modules.datasets.import_images:import_images",
    "modules.image_directories.convert_to_image_directory:convert_to_image_directory",
    "modules.image_directories.split_image_directory:split_image_directory",
    "modules.image_directories.align_classes:align_classes",
    "modules.transforms.init_image_transformation:init_image_transformation",
    "modules.transforms.apply_image_transformation:apply_image_transformation",
    "modules.models.densenet:densenet",
    "modules.models.resnet:resnet",
    "modules.models.image_model:image_model",
    "modules.training.train_pytorch_model:train_pytorch_model",
    "modules.tuning.tune_model_hyperparameters:tune_model_hyperparameters",
    "modules.scripts.run_training_script:run_training_script",
    "modules.models.registered_model:registered_model",
    "modules.scoring.score_image_model:score_image_model",
    "modules.scoring.evaluate_model:evaluate_model",
    "modules.scoring.confidence_threshold:confidence_threshold",
    "modules.export.export_model:export_model",
    "modules.export.onnx_model:onnx_model",
    "modules.scripts.make_trained_model:make_trained_model",
    "modules.scripts.execute_python_script:execute_python_script",
    "modules.scripts.create_python_model:create_python_model",
    "modules.datasets.web_service_input:web_service_input",
    "modules.scoring.web_service_output:web_service_output",
)


@dataclass(frozen=True)
class Catalog:
    """Modules by ID, in the order of the palette."""

    entries: Mapping[str, Found] = field(default_factory=lambda: MappingProxyType({}))
    failures: tuple[CatalogFailure, ...] = ()

    @classmethod
    def of(cls, modules: Iterable[Module]) -> Catalog:
        """Create a catalog of importable modules, the first of each ID."""
        entries = [Found(module, importable(module)) for module in modules]
        return cls().adding(entries)

    def adding(
        self, candidates: Iterable[Found], failures: Iterable[CatalogFailure] = ()
    ) -> Catalog:
        """Return this catalog with more modules; a taken ID or port type becomes a failure."""
        entries, refused = dict(self.entries), list(failures)
        types = dict(self.port_types)
        for candidate in candidates:
            failure = _clash(candidate, entries, types)
            if failure:
                refused.append(failure)
                continue
            entries[candidate.module.id] = candidate
            types.update(_types_of(candidate.module))
        return Catalog(MappingProxyType(entries), (*self.failures, *refused))

    def get(self, module_id: str) -> Module | None:
        """Return the module with that ID, if there is one."""
        entry = self.entries.get(module_id)
        return entry.module if entry else None

    @cached_property
    def modules(self) -> tuple[Module, ...]:
        """All modules."""
        return tuple(entry.module for entry in self.entries.values())

    @cached_property
    def port_types(self) -> Mapping[str, type[Artifact]]:
        """Return every port type and its supertypes, by name."""
        types: dict[str, type[Artifact]] = {}
        for module in self.modules:
            types.update(_types_of(module))
        return MappingProxyType(types)

    def origin(self, module_id: str) -> ModuleOrigin | None:
        """Return the origin from which another process can load that module."""
        entry = self.entries.get(module_id)
        return entry.origin if entry else None

    def code_hash(self, module_id: str) -> str | None:
        """Return the hash of the code of a user's or a package's module; None for built-ins."""
        origin = self.origin(module_id)
        return origin.code_hash if origin else None


def builtin_catalog() -> Catalog:
    """Return the modules of this project in the language of the user; imports no torch."""
    return Catalog.of(map(translated, builtin_modules()))


def builtin_modules() -> tuple[Module, ...]:
    """Return the modules of this project as they are declared, with English texts."""
    return tuple(_import(name) for name in BUILTIN_MODULES)


def importable(module: Module) -> ModuleOrigin:
    """Return the origin of a module that any process of this environment can import."""
    function = module.function
    return ModuleOrigin("import", f"{function.__module__}:{function.__name__}")


def _import(name: str) -> Module:
    module_name, _, attribute = name.partition(":")
    value = getattr(importlib.import_module(module_name), attribute)
    if not isinstance(value, Module):
        raise TypeError(f"{name} is not a module: decorate the function with @module.")
    return value


def _types_of(module: Module) -> dict[str, type[Artifact]]:
    return {
        kind.__name__: kind
        for port in (*module.inputs, *module.outputs)
        for kind in port.type.__mro__
        if issubclass(kind, Artifact)
    }


def _clash(
    candidate: Found, entries: Mapping[str, Found], types: Mapping[str, type[Artifact]]
) -> CatalogFailure | None:
    source, module_id = candidate.origin.location, candidate.module.id
    if module_id in entries:
        other = entries[module_id].origin.location
        return CatalogFailure.of(source, say.ID_TAKEN, module=module_id, other=other)
    for name, kind in _types_of(candidate.module).items():
        if types.get(name, kind) is not kind:
            return CatalogFailure.of(source, say.PORT_TYPE_TAKEN, module=module_id, port_type=name)
    return None
