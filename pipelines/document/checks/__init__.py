"""Checks of a document on its own: connections, parameters, run settings, sub-pipelines."""
