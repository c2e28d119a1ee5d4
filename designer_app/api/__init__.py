"""The HTTP API: one file per resource, pydantic models in and out."""
