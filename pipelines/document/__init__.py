"""Pipeline documents: format, edits, differences and checks, as pure functions and values."""
