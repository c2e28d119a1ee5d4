"""Aliases of a model on its page: set, removed, moved by rule, and their history."""

from __future__ import annotations

import time

import streamlit as st

from designer_app.application import Application
from designer_app.translation import _
from designer_app.ui.error_messages import errors_shown
from designer_app.ui.markdown import plain
from pipelines.inspection.alias_moves import mover
from pipelines.registry.model_report import move_entries
from pipelines.registry.model_texts import MAX_REASON
from pipelines.registry.models import GOLDEN_SET, RegisteredVersion


def aliases(application: Application, place: RegisteredVersion) -> None:
    """Draw the form that sets an alias of a version, and buttons that remove its aliases."""
    has_rules = bool(place.model.rules)
    # texts stay after an error, and are gone when an alias has changed
    state = f"{place.reference}-{sorted(place.model.aliases.items())}"
    with st.form("alias-form", border=False):
        alias = st.text_input(
            _("Alias"),
            key=f"alias-word-{state}",
            placeholder="best",
            max_chars=100,
            help=_("A name that always points to one version of the model."),
        )
        reason = st.text_input(
            _("Reason"),
            key=f"alias-reason-{state}",
            placeholder=_("optional"),
            max_chars=MAX_REASON,
        )
        force = has_rules and st.checkbox(
            _("Ignore its rule"), key=f"alias-force-{state}", help=_("The history shows it.")
        )
        is_set = st.form_submit_button(_("Set"), key="alias-set", type="primary")
    for known in place.aliases:
        _removal(application, place, known)
    if is_set and not alias.strip():
        st.error(_("Enter an alias."))
    elif is_set:
        with errors_shown(), st.spinner(_("Comparing with the current version…")):
            application.alias_moves.move(
                place.model.name,
                alias.strip(),
                place.version.version,
                mover("app", reason),
                force=bool(force),
            )
            st.rerun()


def _removal(application: Application, place: RegisteredVersion, alias: str) -> None:
    has_rule = alias in place.model.rules
    label = _("Remove {alias} and its rule", alias=alias) if has_rule else None
    if st.button(label or _("Remove {alias}", alias=alias), key=f"alias-remove-{alias}"):
        with errors_shown():
            name = place.model.name
            application.alias_moves.move(name, alias, None, mover("app"), force=has_rule)
            st.rerun()


def rules(application: Application, place: RegisteredVersion) -> None:
    """Draw the form that sets or removes the rule of an alias."""
    known = list(place.model.aliases)
    st.write(
        _(
            "An alias with a rule moves only to versions that are not worse than the current one: "
            "their accuracy on golden images must reach its 95 % interval."
        )
    )
    alias = known[0] if len(known) == 1 else st.selectbox(_("Alias"), known, key="rule-alias")
    rule = place.model.rules.get(str(alias))
    current = "" if rule is None else str(rule.get(GOLDEN_SET, ""))
    with st.form("rule-form", border=False):
        golden = st.text_input(
            _("Golden images of {alias}", alias=alias),
            current,
            key=f"rule-golden-{place.model.name}-{alias}",
            placeholder=_("folder, or dataset:NAME@VERSION"),
            help=_("A folder with one folder for each class. Leave it empty to remove the rule."),
        )
        is_set = st.form_submit_button(_("Save rule"), key="rule-set", type="primary")
    if is_set:
        with errors_shown():
            text = golden.strip() or None
            application.alias_moves.set_rule(place.model.name, str(alias), text, mover("app"))
            st.rerun()


def history(application: Application, place: RegisteredVersion) -> None:
    """Draw the changes of the model's aliases: who made them, when and why."""
    entries = move_entries(application.session.models, place.model.name)
    if not entries:
        return
    with st.expander(_("History of aliases")):
        for entry in entries:
            when = time.strftime("%d %b %Y, %H:%M", time.localtime(entry.moved))
            made = ", ".join(part for part in (entry.author, when) if part)
            st.markdown(f"**{plain(entry.alias)}** {plain(entry.change)}")
            st.caption(plain(f"{made}: {entry.reason}" if entry.reason else made))
