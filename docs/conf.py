"""Sphinx configuration: MyST pages, generated reference, the PyData theme without outside files."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

import generated_pages
from sphinx.application import Sphinx

project = "Pipeline Designer"
version = release = generated_pages.version()
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 3
html_theme = "pydata_sphinx_theme"
html_title = project
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_favicon = None
html_sidebars = {"index": [], "get-started": []}
html_theme_options = {
    "navigation_depth": 2,
    "show_toc_level": 2,
    "navbar_end": ["theme-switcher"],
    "footer_start": [],
    "footer_end": [],
    "use_edit_page_button": False,
}
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}
exclude_patterns = ["_build"]
nitpicky = False


def setup(app: Sphinx) -> None:
    """Write the generated pages before Sphinx looks for sources."""
    generated_pages.write(Path(__file__).parent)
    app.connect("build-finished", _remove_source_maps)


def _remove_source_maps(app: Sphinx, error: Exception | None) -> None:
    """Maps of the theme's scripts are half of the site and of no use to readers."""
    if error is None:
        for path in Path(app.outdir, "_static").rglob("*.map"):
            path.unlink()
