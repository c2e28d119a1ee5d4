"""HTTP API: one file per resource, with pydantic models for requests and responses."""
