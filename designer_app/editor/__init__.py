"""Visual editor on a page: its component, and its bundle, built from ``designer_app/frontend``."""
