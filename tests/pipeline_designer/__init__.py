"""The package that scripts and notebooks import."""
