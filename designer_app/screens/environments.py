"""Environments page: packages for scripts, their sizes, building and removing."""

from __future__ import annotations

import time
from typing import Any

import streamlit as st

from designer_app.application import Application, current
from designer_app.elements.entries import Entry, chosen_entry, open_entry
from designer_app.screens import environment_editor
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import figures, heading
from designer_app.ui.pipeline_names import names_of
from modules.formatting import format_bytes
from pipelines.environments.background_builds import BackgroundBuild
from pipelines.environments.definition import EnvironmentRecord
from pipelines.environments.report import (
    built_copy,
    difference_of,
    environment_summary,
    packages_of,
)
from pipelines.environments.uv_command import find_uv
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.errors import DesignerError
from pipelines.sentences import environments as say
from pipelines.store.database.pipelines import PipelineRow

SHOWN = "environments"
ABOUT = (
    "Sets of packages that scripts run with. Select one in the run settings of a script node; "
    "the default is the designer's torch without other packages."
)
BASES = {"designer": "designer's torch", "isolated": "isolated", "image": "container image"}
LOG_LINES = 200
LOOK_SECONDS = 1.0


def show() -> None:
    """Draw the page."""
    application = current()
    is_new = heading("Environments", ABOUT, action="New environment", key="environment-new")
    if is_new:
        _new(application)
    if find_uv() is None:
        st.warning(plain(f"{say.NO_UV.message} {say.NO_UV.cure}"))
    environments = application.session.environments
    records = {record.reference: record for record in environments.all()}
    use = application.session.environment_use
    if environment_editor.NEXT in st.session_state:  # created in this visit
        open_entry(SHOWN, st.session_state.pop(environment_editor.NEXT))
    drawn = [_entry(environments, record, use.users(record)) for record in records.values()]
    chosen = chosen_entry(drawn, SHOWN, "Environments")
    _details(application, records[chosen])


@st.dialog("New environment", width="large")
def _new(application: Application) -> None:
    environment_editor.show(application.session.environments)


def _entry(
    environments: WorkspaceEnvironments, record: EnvironmentRecord, users: list[PipelineRow]
) -> Entry:
    built = built_copy(environments, record)
    packages = record.image or ", ".join(record.requirements) or "designer's torch only"
    used = f". Used by {names_of(users)}" if users else ""
    return Entry(
        id=record.reference,
        title=record.reference,
        text=f"{packages}{used}",
        figure=format_bytes(built.num_bytes) if built else "",
        figure_name="on disk",
        badges=("built" if built else "not built",),
    )


def _day(seconds: float) -> str:
    return time.strftime("%d %b %Y", time.localtime(seconds))


def _details(application: Application, record: EnvironmentRecord) -> None:
    environments = application.session.environments
    st.subheader(plain(record.reference))
    figures(_figures(environments, record))
    _facts(environments, record)
    _actions(application, record)
    _build_log(environments, record)
    packages, lock, difference = st.tabs(["Packages", "Lock", "Difference"])
    with packages:
        _packages(record)
    with lock:
        _lock(record)
    with difference:
        _difference(environments, record)


def _figures(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> dict[str, str]:
    summary = environment_summary(environments, record)
    built = summary.built
    shown = {
        "Packages": f"{len(packages_of(record, record.lock)):,}",
        "Base": BASES[record.base],
        "Python": summary.python,
    }
    if record.base == "image":
        del shown["Packages"]
        shown["Python"] = shown["Python"] or "from image"
    dated = {"As of": record.as_of} if record.as_of else {}
    return shown | dated | ({"Last used": _day(built.last_used)} if built else {})


def _facts(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> None:
    built = built_copy(environments, record)
    made = "Included with the designer." if record.curated else f"Made {_day(record.created)}."
    size = (
        f"{format_bytes(built.num_bytes)} on disk, {format_bytes(built.own_bytes)} of them "
        f"its own; built in {built.seconds:.1f} s."
        if built
        else "Not built yet. Built on first use."
    )
    risk = "Its packages may run code during installation." if record.allow_builds else ""
    of_image = f" Its contents come from the image {record.image}." if record.image else ""
    st.caption(plain(f"{made}{of_image} {size}{risk}"))
    for line in record.left_out:
        st.caption(plain(line))


def _actions(application: Application, record: EnvironmentRecord) -> None:
    environments = application.session.environments
    is_built = environments.marker(record) is not None
    with st.container(horizontal=True):
        if st.button("Build", key="environment-build", disabled=is_built):
            environments.builds.start(record)
        if st.button("Clone and edit", key="environment-clone"):
            environment_editor.begin_with(record)
            _new(application)
        if st.button("Verify", key="environment-verify", disabled=not is_built):
            _verify(environments, record)
        if st.button("Delete files", key="environment-free", disabled=not is_built):
            _free(application, record)
        if st.button("Remove ...", key="environment-remove", disabled=record.curated):
            _confirm_removal(application, record)


def _verify(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> None:
    damages = environments.verify(record)
    if not damages:
        st.success("All files are unchanged.")
        return
    files = [f"{damage.file} is {damage.kind}" for damage in damages[:10]]
    rest = f" and {len(damages) - 10} more" if len(damages) > 10 else ""
    st.error(
        plain(f"{', '.join(files)}{rest}. The next run rebuilds it; press Build to rebuild it now.")
    )


def _free(application: Application, record: EnvironmentRecord) -> None:
    try:
        application.session.environment_use.free(record)
    except DesignerError as error:
        st.error(plain(error))
    else:
        st.rerun()


@st.dialog("Remove this environment?")
def _confirm_removal(application: Application, record: EnvironmentRecord) -> None:
    use = application.session.environment_use
    users = use.users(record)
    if users:
        names = plain(names_of(users))
        st.warning(f"{names} use it: select another one there before they run.")
    st.write(f"**{plain(record.reference)}** can no longer be chosen. Runs that used it are kept.")
    if st.button("Remove", key="environment-remove-go", type="primary"):
        try:
            use.remove(record, even_if_used=True)
        except DesignerError as error:
            st.error(plain(error))
        else:
            st.rerun()


def _build_log(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> None:
    begun = environments.builds.find(record.key)
    if begun is not None:
        is_going_on = begun.state == "building"
        st.fragment(_show_log, run_every=LOOK_SECONDS if is_going_on else None)(begun, is_going_on)


def _show_log(build: BackgroundBuild, was_going_on: bool) -> None:
    """Draw the build log repeatedly; at its end redraw the page, which shows the result."""
    if was_going_on and build.state != "building":
        st.rerun()
    words = {"building": "Building ...", "built": "Built", "failed": "Not built"}
    icons: Any = {"building": "running", "built": "complete", "failed": "error"}
    failed = build.state == "failed"
    with st.status(words[build.state], state=icons[build.state], expanded=build.state != "built"):
        st.code("\n".join(build.lines[-LOG_LINES:]) or "...", language=None, height=240)
    if failed:
        st.error(plain(build.failure))


def _packages(record: EnvironmentRecord) -> None:
    rows = [
        {
            "Package": package.name,
            "Version": package.version,
            "From": "the designer" if package.shared else "environment",
        }
        for package in packages_of(record, record.lock)
    ]
    if rows:
        st.dataframe(rows, hide_index=True, width="stretch", height=320)
    elif record.base == "image":
        st.write("Contents of the image.")
    else:
        st.write("Python only.")


def _lock(record: EnvironmentRecord) -> None:
    if not record.lock:
        st.write("No packages are requested, so there is nothing to lock.")
        return
    name = f"{record.reference.replace('@', '-')}.lock.txt"
    st.download_button(
        "Download", record.lock, name, "text/plain", key="environment-lock", on_click="ignore"
    )
    st.code(record.lock, language=None, height=320)


def _difference(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> None:
    others = [
        other.reference for other in environments.all() if other.reference != record.reference
    ]
    chosen = st.selectbox("Compare with", others, index=None, key="environment-other")
    if chosen is None:
        return
    differences = difference_of(record, environments.get(chosen))
    columns = {"name": "Package", "before": record.reference, "after": chosen}
    rows = [
        {columns[name]: value or "–" for name, value in difference} for difference in differences
    ]
    if rows:
        st.dataframe(rows, hide_index=True, width="stretch", height=320)
    else:
        st.write("The packages are identical.")
