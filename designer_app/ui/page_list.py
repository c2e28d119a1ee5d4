"""Pages of the app in the order of the navigation, for the app and for the page Camera."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from designer_app.translation import _


class AppPage(NamedTuple):
    """Page of the app: its title, the name of its Material symbol, and its address.

    A page that is not listed has no entry in the navigation.
    """

    title: str
    icon: str
    address: str
    is_listed: bool = True


PAGES: Mapping[str, AppPage] = {
    "home": AppPage(_("Home"), "home", ""),
    "design": AppPage(_("Design"), "account_tree", "design"),
    "runs": AppPage(_("Runs"), "history", "runs"),
    "run": AppPage(_("Run"), "play_circle", "run", is_listed=False),
    "sweep": AppPage(_("Sweeps"), "experiment", "sweep", is_listed=False),
    "compare": AppPage(_("Compare"), "compare", "compare", is_listed=False),
    "models": AppPage(_("Models"), "package_2", "models"),
    "endpoints": AppPage(_("Endpoints"), "cloud", "endpoints"),
    "published": AppPage(_("Published"), "schedule", "published"),
    "data": AppPage(_("Data"), "photo_library", "data"),
    "environments": AppPage(_("Environments"), "deployed_code", "environments"),
    "targets": AppPage(_("Targets"), "memory", "targets"),
    "help": AppPage(_("Help"), "help", "help"),
}
