"""Pipelines as Python code: written from documents, and read back without running them."""
