"""Environments page: packages for scripts, their sizes, building and removing."""

from __future__ import annotations

import time
from typing import Any

import streamlit as st

from designer_app.application import Application, current
from designer_app.elements.entries import Entry, chosen_entry, open_entry
from designer_app.screens import environment_editor
from designer_app.translation import _
from designer_app.ui.dialogs import MEDIUM, SMALL, dialog_buttons
from designer_app.ui.error_messages import errors_shown
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
from pipelines.sentences import environments as say

SHOWN = "environments"
ABOUT = _(
    "Sets of packages that scripts run with. Select one in the run settings of a "
    "script node; the default is the designer's torch without other packages."
)
BASES = {
    "designer": _("designer's torch"),
    "isolated": _("isolated"),
    "image": _("container image"),
}
LOG_LINES = 200
LOOK_SECONDS = 1.0


def show() -> None:
    """Draw the page."""
    application = current()
    is_new = heading(_("Environments"), ABOUT, action=_("New environment"), key="environment-new")
    if is_new:
        _new(application)
    if find_uv() is None:
        st.warning(plain(f"{say.NO_UV.message} {say.NO_UV.cure}"))
    environments = application.session.environments
    records = {record.reference: record for record in environments.all()}
    use = application.session.environment_use
    if environment_editor.NEXT in st.session_state:  # created in this visit
        open_entry(SHOWN, st.session_state.pop(environment_editor.NEXT))
    pipelines = application.session.pipelines.all()
    drawn = [
        _entry(environments, record, names_of(use.users(record), pipelines))
        for record in records.values()
    ]
    chosen = chosen_entry(drawn, SHOWN, _("Environments"))
    _details(application, records[chosen])


@st.dialog(_("New environment"), width=MEDIUM)
def _new(application: Application) -> None:
    environment_editor.show(application.session.environments)


def _entry(environments: WorkspaceEnvironments, record: EnvironmentRecord, users: str) -> Entry:
    built = built_copy(environments, record)
    packages = record.image or ", ".join(record.requirements) or _("designer's torch only")
    used = _("Used by {names}", names=users) if users else ""
    return Entry(
        id=record.reference,
        title=record.reference,
        text=". ".join(filter(None, (packages, used))),
        figure=format_bytes(built.num_bytes) if built else "",
        figure_name=_("on disk"),
        badges=(_("built") if built else _("not built"),),
    )


def _day(seconds: float) -> str:
    return time.strftime("%d %b %Y", time.localtime(seconds))


def _details(application: Application, record: EnvironmentRecord) -> None:
    environments = application.session.environments
    st.subheader(plain(record.reference))
    figures(_figures(environments, record), "environment")
    _facts(environments, record)
    _actions(application, record)
    _build_log(environments, record)
    packages, lock, difference = st.tabs([_("Packages"), _("Lock"), _("Difference")])
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
        _("Packages"): f"{len(packages_of(record, record.lock)):,}",
        _("Base"): BASES[record.base],
        "Python": str(summary.python),
    }
    if record.base == "image":
        del shown[_("Packages")]
        shown["Python"] = shown["Python"] or _("from image")
    dated = {_("As of"): record.as_of} if record.as_of else {}
    return shown | dated | ({_("Last used"): _day(built.last_used)} if built else {})


def _facts(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> None:
    made = (
        _("Included with the designer.")
        if record.curated
        else _("Made {day}.", day=_day(record.created))
    )
    built = built_copy(environments, record)
    size = (
        _(
            "{size} on disk, {own_size} of them its own; built in {seconds:.1f} s.",
            size=format_bytes(built.num_bytes),
            own_size=format_bytes(built.own_bytes),
            seconds=built.seconds,
        )
        if built
        else _("Not built yet. Built on first use.")
    )
    risk = _("Its packages may run code during installation.") if record.allow_builds else ""
    of_image = (
        _("Its contents come from the image {image}.", image=record.image) if record.image else ""
    )
    st.caption(plain(" ".join(filter(None, (made, of_image, size, risk)))))
    for line in record.left_out:
        st.caption(plain(line))


def _actions(application: Application, record: EnvironmentRecord) -> None:
    environments = application.session.environments
    is_built = environments.marker(record) is not None
    with st.container(horizontal=True):
        if st.button(_("Build"), key="environment-build", disabled=is_built):
            environments.builds.start(record)
        if st.button(_("Clone and edit"), key="environment-clone"):
            environment_editor.begin_with(record)
            _new(application)
        if st.button(_("Verify"), key="environment-verify", disabled=not is_built):
            _verify(environments, record)
        if st.button(_("Delete files"), key="environment-free", disabled=not is_built):
            _free(application, record)
        if st.button(_("Remove ..."), key="environment-remove", disabled=record.curated):
            _confirm_removal(application, record)


def _verify(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> None:
    damages = environments.verify(record)
    if not damages:
        st.success(_("All files are unchanged."))
        return
    files = [
        _("{file} is {damage}", file=damage.file, damage=damage.kind) for damage in damages[:10]
    ]
    listed = ", ".join(files)
    if len(damages) > 10:
        listed = _("{names} and {count:,} more", names=listed, count=len(damages) - 10)
    st.error(
        plain(_("{files}. The next run rebuilds it; press Build to rebuild it now.", files=listed))
    )


def _free(application: Application, record: EnvironmentRecord) -> None:
    with errors_shown():
        application.session.environment_use.free(record)
        st.rerun()


@st.dialog(_("Remove this environment?"), width=SMALL)
def _confirm_removal(application: Application, record: EnvironmentRecord) -> None:
    use = application.session.environment_use
    users = use.users(record)
    if users:
        names = plain(names_of(users, application.session.pipelines.all()))
        st.warning(_("{names} use it: select another one there before they run.", names=names))
    st.write(
        _(
            "**{reference}** can no longer be chosen. Runs that used it are kept.",
            reference=plain(record.reference),
        )
    )
    if dialog_buttons(_("Remove"), key="environment-remove-go"):
        with errors_shown():
            use.remove(record, even_if_used=True)
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
    words = {"building": _("Building ..."), "built": _("Built"), "failed": _("Not built")}
    icons: Any = {"building": "running", "built": "complete", "failed": "error"}
    failed = build.state == "failed"
    with st.status(words[build.state], state=icons[build.state], expanded=build.state != "built"):
        st.code("\n".join(build.lines[-LOG_LINES:]) or "...", language=None, height=240)
    if failed:
        st.error(plain(build.failure))


def _packages(record: EnvironmentRecord) -> None:
    rows = [
        {
            _("Package"): package.name,
            _("Version"): package.version,
            _("From"): _("the designer") if package.shared else _("environment"),
        }
        for package in packages_of(record, record.lock)
    ]
    if rows:
        st.dataframe(rows, hide_index=True, width="stretch", height=320)
    elif record.base == "image":
        st.write(_("Contents of the image."))
    else:
        st.write(_("Python only."))


def _lock(record: EnvironmentRecord) -> None:
    if not record.lock:
        st.write(_("No packages are requested, so there is nothing to lock."))
        return
    name = f"{record.reference.replace('@', '-')}.lock.txt"
    st.download_button(
        _("Download"), record.lock, name, "text/plain", key="environment-lock", on_click="ignore"
    )
    st.code(record.lock, language=None, height=320)


def _difference(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> None:
    others = [
        other.reference for other in environments.all() if other.reference != record.reference
    ]
    chosen = st.selectbox(_("Compare with"), others, index=None, key="environment-other")
    if chosen is None:
        return
    differences = difference_of(record, environments.get(chosen))
    columns = {"name": _("Package"), "before": record.reference, "after": chosen}
    rows = [
        {columns[name]: value or "–" for name, value in difference} for difference in differences
    ]
    if rows:
        st.dataframe(rows, hide_index=True, width="stretch", height=320)
    else:
        st.write(_("The packages are identical."))
