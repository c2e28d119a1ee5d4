"""Form fields of a new target, by its kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from pydantic.fields import FieldInfo
from streamlit.delta_generator import DeltaGenerator

from designer_app.translation import _
from pipelines.targets.kinds import target_kind
from pipelines.targets.settings import TargetSettings

INTERFACE = ("interface", _("Network interface"), _("automatic"))
SLURM_WORDS = (
    ("partition", _("Partition"), "gpu"),
    ("account", _("Account"), ""),
    ("qos", _("QOS"), ""),
    ("gres", _("GRES per machine"), "gpu:4"),
    ("time_limit", _("Job time limit"), "4:00:00"),
    INTERFACE,
)
OF_MACHINES = (
    ("shared_folder", _("Shared folder"), _("workspace folder")),
    ("python", _("Python on the machines"), _("same as the designer")),
)
KEEP_WARM = ("keep_warm", _("Keep torch loaded (minutes)"), _("0: do not keep"))
COUNTS_OF_MACHINES = (
    ("max_nodes", _("Machines (max.)"), 1, 2),
    ("processes_per_node", _("Processes per machine"), 1, 1),
    ("cpus_per_process", _("CPUs per process"), 1, 1),
    ("gpus_per_process", _("GPUs per process"), 0, 0),
)
SLURM_REST = (
    *OF_MACHINES,
    ("extra", _("More sbatch options"), "--constraint=a100"),
)
Fields = tuple[tuple[str, str, str], ...]
"""Keys, titles and examples of text fields."""


@dataclass(frozen=True)
class CountedForm:
    """Form of a target, besides the number of machines and the resources of each process."""

    about: str
    name: str
    """Example of a name."""
    widths: tuple[int, ...]
    """Column widths of the first row: the name and ``first``."""
    first: Fields
    second: Fields
    """Second row of fields."""
    rest: Fields
    """Rarely used fields."""


RAY = CountedForm(
    _(
        "A running cluster, identified by the address of its dashboard. The workspace "
        "must be in a folder that all machines share at the same path."
    ),
    "ray",
    (2, 3, 3),
    (
        ("address", _("Address"), "http://ray.example.org:8265"),
        ("token_file", _("Token file"), _("readable only by you")),
    ),
    (),
    (*OF_MACHINES, INTERFACE, KEEP_WARM),
)


SettingValues = dict[str, str | int | float]
"""Settings of a target by name, as its form and the API accept them."""


def settings_fields(kind: str) -> tuple[str, SettingValues]:
    """Draw the fields; return the name and the settings."""
    name, settings = _of_kind(kind)
    return name, {**settings, **_terms()}


def _terms() -> SettingValues:
    """Draw the fields of targets of every kind."""
    price, tier = st.columns([2, 4], vertical_alignment="bottom")
    set_price = price.text_input(
        _("Price per machine and hour"),
        key="target-price_per_hour",
        placeholder=_("in your currency"),
        help=_("Forecasts and runs then show their cost."),
    )
    is_preemptible = tier.checkbox(
        _("Preemptible (spot) machines"),
        key="target-tier",
        help=_(
            "A step that loses a machine is restarted from its last checkpoint, up to five times."
        ),
    )
    priced = {"price_per_hour": set_price} if set_price else {}
    return {**priced, **({"tier": "preemptible"} if is_preemptible else {})}


def _of_kind(kind: str) -> tuple[str, SettingValues]:
    match kind:
        case "slurm":
            return _slurm()
        case "ray":
            return _counted(RAY)
        case "ssh":
            return _ssh()
        case "local":
            return _simulated()
        case _:
            return _declared(kind)


def _simulated() -> tuple[str, SettingValues]:
    st.write(_("Use this machine as several simulated ones, to try distributed training."))
    named, counted = st.columns([4, 2], vertical_alignment="bottom")
    name = named.text_input(_("Name"), key="target-name", placeholder="four-nodes", max_chars=64)
    nodes = counted.number_input(_("Simulated machines"), 1, 64, 4, key="target-nodes")
    return name, {"simulated_nodes": int(nodes)}


def _slurm() -> tuple[str, SettingValues]:
    st.write(
        _(
            "A cluster that runs jobs of this machine. The workspace must be in a folder "
            "that all machines share at the same path."
        )
    )
    named, nodes, processes = st.columns([4, 2, 2], vertical_alignment="bottom")
    name = named.text_input(_("Name"), key="target-name", placeholder="cluster", max_chars=64)
    settings: SettingValues = {
        "max_nodes": int(
            nodes.number_input(_("Machines (max.)"), 1, 10_000, 2, key="target-max_nodes")
        ),
        "processes_per_node": int(
            processes.number_input(_("Processes per machine"), 1, 1024, 1, key="target-processes")
        ),
    }
    columns = st.columns(3)
    for number, (key, title, example) in enumerate(SLURM_WORDS):
        place = columns[number % 3]
        settings[key] = place.text_input(title, key=f"target-{key}", placeholder=example)
    return name, _with_more(settings, SLURM_REST)


def _counts() -> dict[str, int]:
    return {
        key: int(place.number_input(title, least, 10_000, first, key=f"target-{key}"))
        for place, (key, title, least, first) in zip(st.columns(4), COUNTS_OF_MACHINES, strict=True)
    }


def _counted(form: CountedForm) -> tuple[str, SettingValues]:
    """Draw the fields of a target with a number of machines and resources per process."""
    st.write(form.about)
    named, *places = st.columns(form.widths, vertical_alignment="bottom")
    name = named.text_input(_("Name"), key="target-name", placeholder=form.name, max_chars=64)
    settings: SettingValues = {**_texts(places, form.first)}
    if form.second:
        settings |= _texts(st.columns(len(form.second)), form.second)
    return name, _with_more({**settings, **_counts()}, form.rest)


def _texts(places: Sequence[DeltaGenerator], fields: Fields) -> dict[str, str]:
    return {
        key: place.text_input(title, key=f"target-{key}", placeholder=example)
        for place, (key, title, example) in zip(places, fields, strict=True)
    }


def _ssh() -> tuple[str, SettingValues]:
    st.write(
        _(
            "Machines that this one logs in to with an SSH key, one step per machine. The "
            "workspace must be in a folder that all machines share at the same path."
        )
    )
    named, listed = st.columns([2, 4], vertical_alignment="bottom")
    name = named.text_input(_("Name"), key="target-name", placeholder="lab", max_chars=64)
    hosts = listed.text_input(_("Machines"), key="target-hosts", placeholder="gpu1, gpu2")
    user, interface, processes = st.columns(3, vertical_alignment="bottom")
    settings: SettingValues = {
        "hosts": hosts,
        "user": user.text_input(_("User name"), key="target-user", placeholder=_("default of ssh")),
        "interface": interface.text_input(
            _("Network interface"), key="target-interface", placeholder=_("automatic")
        ),
        "processes_per_node": int(
            processes.number_input(_("Processes per machine"), 1, 1024, 1, key="target-processes")
        ),
    }
    return name, _with_more(settings, OF_MACHINES)


def _declared(kind: str) -> tuple[str, SettingValues]:
    """Draw the fields of a kind added by a package, as declared by its settings."""
    declared = {
        key: field
        for key, field in target_kind(kind).settings_type.model_fields.items()
        if key not in TargetSettings.model_fields
    }
    required = _text_fields(declared, is_required=True)
    rest = _text_fields(declared, is_required=False)
    named, *places = st.columns(len(required) + 1, vertical_alignment="bottom")
    name = named.text_input(_("Name"), key="target-name", placeholder=kind, max_chars=64)
    return name, _with_more({**_texts(places, required)}, rest)


def _text_fields(declared: Mapping[str, FieldInfo], *, is_required: bool) -> Fields:
    return tuple(
        _text_field(key, field)
        for key, field in declared.items()
        if field.is_required() is is_required
    )


def _text_field(key: str, field: FieldInfo) -> tuple[str, str, str]:
    """Return key, title and example of a declared setting."""
    title = field.title or key.replace("_", " ").capitalize()
    default = field.get_default()
    has_default = not field.is_required() and default not in (None, "")
    return key, title, str(default) if has_default else field.description or ""


def _with_more(settings: SettingValues, fields: Fields) -> SettingValues:
    """Add the rarely used fields, and drop empty ones."""
    with st.expander(_("More settings")):
        for key, title, example in fields:
            settings[key] = st.text_input(title, key=f"target-{key}", placeholder=example)
    return {key: value for key, value in settings.items() if value != ""}
