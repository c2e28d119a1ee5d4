"""Pipelines as Python code."""
