"""Form of a new environment: packages, base and cutoff date."""

from __future__ import annotations

from datetime import date

import streamlit as st

from designer_app.translation import _
from designer_app.ui.markdown import plain
from modules.errors import ModuleError
from pipelines.environments.definition import EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.formats import read_definition
from pipelines.environments.report import packages_of
from pipelines.environments.resolver import Resolution
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.errors import DesignerError

FILES = {
    _("a list of packages"): "requirements.txt",
    _("a pyproject.toml"): "pyproject.toml",
    _("a script with a header"): "script.py",
    _("a conda file"): "environment.yml",
}
BASES = {
    _("from specification"): None,
    _("the designer's torch"): "designer",
    "isolated": "isolated",
    _("container image"): "image",
}
NAME, TEXT, FILE = "environment-name", "environment-text", "environment-file"
BASE, PYTHON, IMAGE = "environment-base", "environment-python", "environment-image"
OF_IMAGE, OF_LIST, OF_PACKAGES = (
    "environment-of-image",
    "environment-of-list",
    "environment-of-packages",
)
"""Fields specific to one base; hidden for the others, so that typed text is kept."""
FINDING_VERSIONS = _("Resolving versions")
MOST_ROWS = 9
NEXT = "environment-next"
"""Environment to open when the page is drawn next."""
DAY, BUILDS = "environment-as-of", "environment-builds"


def begin_with(record: EnvironmentRecord) -> None:
    """Fill the form with an existing environment, as a starting point."""
    state = st.session_state
    state[NAME] = "" if record.curated else record.name
    state[TEXT] = "\n".join(record.requirements)
    state[FILE] = _("a list of packages")
    state[BASE] = next(words for words, base in BASES.items() if base == record.base)
    state[PYTHON] = record.python
    state[IMAGE] = record.image
    state[DAY] = None if record.as_of is None else date.fromisoformat(record.as_of)
    state[BUILDS] = record.allow_builds


def show(environments: WorkspaceEnvironments) -> None:
    """Draw the form and the resolved environment."""
    st.selectbox(_("Base"), list(BASES), key=BASE)
    with st.form("new-environment", border=True):
        named, said = st.columns([1, 1])
        named.text_input(_("Name"), key=NAME, placeholder="my-lightning", max_chars=64)
        with said, st.container(key=OF_IMAGE):
            _image_field()
        with said, st.container(key=OF_LIST):
            st.selectbox(_("Format of the text"), list(FILES), key=FILE)
        with st.container(key=OF_PACKAGES):
            _package_fields()
        hidden = (OF_LIST, OF_PACKAGES) if _is_of_image() else (OF_IMAGE,)
        st.html(f"<style>:is({_classes(hidden)}) {{ display: none; }}</style>")
        with st.container(horizontal=True, horizontal_alignment="right"):
            is_tried = st.form_submit_button(_("Preview packages"), key="environment-try")
            is_kept = st.form_submit_button(
                _("Save and build"), key="environment-keep", type="primary"
            )
    name = st.session_state[NAME]
    if is_kept:
        _keep(environments, name.strip())
    elif is_tried:
        _try(environments)


def _is_of_image() -> bool:
    return BASES[st.session_state[BASE]] == "image"


def _classes(keys: tuple[str, ...]) -> str:
    return ", ".join(f".st-key-{key}" for key in keys)


def _image_field() -> None:
    st.text_input(
        _("Image"),
        key=IMAGE,
        placeholder=_("name:tag, as listed by podman or docker"),
        max_chars=255,
        help=_(
            "Scripts run with the files, Python and packages of the image, and see "
            "only their own folders of this machine. The image must contain "
            "everything they need."
        ),
    )


def _package_fields() -> None:
    st.text_area(_("Packages"), key=TEXT, height=140, placeholder="lightning>=2.6\ntensorboard")
    python, day = st.columns([1, 1])
    python.text_input("Python", key=PYTHON, placeholder=_("same as the designer"), max_chars=20)
    day.date_input(_("Packages as of"), value=None, max_value="today", key=DAY)
    st.checkbox(_("Allow packages without wheels (they run code during installation)"), key=BUILDS)


def _asked() -> EnvironmentDefinition:
    state = st.session_state
    if _is_of_image():
        return EnvironmentDefinition(base="image", image=state[IMAGE].strip())
    read = read_definition(state[TEXT], FILES[state[FILE]])
    base, day = BASES[state[BASE]] or read.base, state[DAY]
    return read.changed(
        base=base,
        python=state[PYTHON].strip() or read.python,
        as_of=None if day is None else day.isoformat(),
        allow_builds=state[BUILDS],
    )


def _resolved(environments: WorkspaceEnvironments) -> Resolution | None:
    """Return the resolved environment; None, with a message on the page, if this fails."""
    try:
        asked = _asked()
        doing = _("Inspecting image") if _is_of_image() else FINDING_VERSIONS
        with st.spinner(f"{doing} ..."):
            return environments.resolve(asked)
    except (DesignerError, ModuleError, OSError) as error:
        st.error(plain(error))
        return None


def _try(environments: WorkspaceEnvironments) -> None:
    resolution = _resolved(environments)
    if resolution is None:
        return
    for line in resolution.definition.left_out:
        st.warning(plain(line))
    if resolution.definition.base == "image":
        st.write(
            plain(
                _(
                    "The image {image} is here: {lock}.",
                    image=resolution.definition.image,
                    lock=resolution.lock.strip(),
                )
            )
        )
        return
    packages = packages_of(resolution.definition, resolution.lock)
    own = [package for package in packages if not package.shared]
    st.write(
        _(
            "{own} own {own:package|packages}, {shared} shared with the designer.",
            own=len(own),
            shared=len(packages) - len(own),
        )
    )
    rows = [{_("Package"): package.name, _("Version"): package.version} for package in own]
    st.dataframe(
        rows, hide_index=True, width="stretch", height="content" if len(rows) < MOST_ROWS else 320
    )


def _keep(environments: WorkspaceEnvironments, name: str) -> None:
    try:
        environments.require_name(name)
    except DesignerError as error:
        st.error(plain(error))
        return
    resolution = _resolved(environments)
    if resolution is not None:
        record = environments.keep(name, resolution)
        environments.builds.start(record)
        st.session_state[NEXT] = record.reference
        st.rerun()
