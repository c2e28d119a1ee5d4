"""``Run.get_context()`` as scripts get it without a workspace.

Metrics become curves of the step; files stay below the working folder, whose ``outputs/`` is an
output of the step.
"""

import os
import shutil
import uuid
from typing import Any, ClassVar, Iterable, Mapping


class Run:
    """The run of this script. Its ``id`` starts with ``OfflineRun``, which scripts check."""

    input_datasets: "ClassVar[Mapping[str, Any]]" = {}
    output_datasets: "ClassVar[Mapping[str, Any]]" = {}
    _current: "ClassVar[Run | None]" = None

    def __init__(self) -> None:
        self.id = f"OfflineRun_{uuid.uuid4()}"
        self.number = 1
        self.tags: dict[str, str] = {}
        self.properties: dict[str, str] = {}
        self._metrics: dict[str, Any] = {}

    @classmethod
    def get_context(cls, allow_offline: bool = True, **_: Any) -> "Run":
        """Return the one run of this process."""
        if Run._current is None:
            Run._current = _OfflineRun()
        return Run._current

    def log(self, name: str, value: Any, description: str = "", step: "int | None" = None) -> None:
        """Log a number; a text is only available to ``get_metrics``, with a warning on the node."""
        from designer_log import designer_log, log_text

        self._metrics[name] = value
        try:
            designer_log(name, float(value), step)
        except (TypeError, ValueError):
            log_text(name, str(value))

    def log_list(self, name: str, value: "Iterable[Any]", description: str = "") -> None:
        """Log one number after the other."""
        for number in value:
            self.log(name, number)

    def log_row(self, name: str, description: str = "", **kwargs: Any) -> None:
        """Log a number for each column, under ``name/column``."""
        for column, value in kwargs.items():
            self.log(f"{name}/{column}", value)

    def log_table(self, name: str, value: "Mapping[str, Any]", description: str = "") -> None:
        """Log columns: each a number, or a list of them."""
        for column, numbers in value.items():
            is_list = isinstance(numbers, (list, tuple))
            self.log_list(f"{name}/{column}", numbers if is_list else [numbers])

    def log_image(
        self, name: str, path: "str | None" = None, plot: Any = None, description: str = ""
    ) -> None:
        """Save an image, or a figure of matplotlib, in ``outputs/``."""
        if plot is not None:
            plot.savefig(_place(f"outputs/{name}.png"))
        elif path is not None:
            shutil.copy(path, _place(f"outputs/{os.path.basename(path)}"))

    def tag(self, key: str, value: "str | None" = None) -> None:
        """Set a tag, for the script alone."""
        self.tags[key] = str(value)

    def set_tags(self, tags: "Mapping[str, str]") -> None:
        """Set tags, for the script alone."""
        self.tags.update(tags)

    def add_properties(self, properties: "Mapping[str, str]") -> None:
        """Set properties, for the script alone."""
        self.properties.update(properties)

    def get_tags(self) -> "dict[str, str]":
        """Return the tags."""
        return dict(self.tags)

    def get_metrics(self, name: "str | None" = None, **_: Any) -> "dict[str, Any]":
        """Return the last value of each metric."""
        return {key: value for key, value in self._metrics.items() if name in (None, key)}

    def upload_file(self, name: str, path_or_stream: Any, **_: Any) -> None:
        """Copy a file, or a stream, to a path in the working folder."""
        place = _place(name)
        if hasattr(path_or_stream, "read"):
            content = path_or_stream.read()
            with open(place, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
        elif os.path.realpath(path_or_stream) != os.path.realpath(place):
            shutil.copy(path_or_stream, place)

    def upload_folder(self, name: str, path: str, **_: Any) -> None:
        """Copy the files of a folder to a path in the working folder."""
        for folder, _folders, names in os.walk(path):
            inner = os.path.relpath(folder, path)
            for file in names:
                target = os.path.normpath(os.path.join(name, inner, file))
                self.upload_file(target, os.path.join(folder, file))

    def get_file_names(self) -> "list[str]":
        """Return the files in ``outputs/`` and ``logs/``."""
        folders = [entry for root in ("outputs", "logs") for entry in os.walk(root)]
        paths = (os.path.join(folder, name) for folder, _, names in folders for name in names)
        return sorted(path.replace(os.sep, "/") for path in paths)

    def download_file(self, name: str, output_file_path: "str | None" = None, **_: Any) -> None:
        """Copy an uploaded file."""
        target = output_file_path or os.path.basename(name)
        if os.path.realpath(target) != os.path.realpath(name):
            shutil.copy(name, target)

    def register_model(self, model_name: str, model_path: "str | None" = None, **_: Any) -> Any:
        """Check that the file is there; the designer then reports how to register it."""
        from designer_log import report_unregistered_model

        path = os.path.normpath(model_path or model_name)
        if not os.path.exists(path):
            raise FileNotFoundError(f"There is no {path} to register as {model_name}.")
        report_unregistered_model(model_name, path.replace(os.sep, "/"))
        return PendingModel(model_name, path)

    def flush(self, *_: Any, **__: Any) -> None:
        """Do nothing, as everything is already written."""

    complete = cancel = wait_for_completion = flush

    def fail(self, error_details: Any = None, *_: Any, **__: Any) -> None:
        """Print why the script will fail; the failure itself is its exit code."""
        if error_details:
            print(error_details, flush=True)

    def get_status(self) -> str:
        """Return ``Running``, which is true for the caller."""
        return "Running"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"Run.{name} needs an Azure Machine Learning workspace. The designer only provides "
            "logging, tags and files of a run."
        )


class PendingModel:
    """Result of ``register_model``; its version is unknown until a user registers the file."""

    version = None
    id = None

    def __init__(self, name: str, path: str) -> None:
        self.name, self.path = name, path


class _OfflineRun(Run):
    """The class whose name scripts compare with."""


def _place(name: str) -> str:
    """Return a path below the working folder whose folder exists."""
    path = os.path.normpath(name)
    if os.path.isabs(path) or path.split(os.sep)[0] == os.pardir:
        raise ValueError(f"{name} is not below the working folder.")
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    return path
