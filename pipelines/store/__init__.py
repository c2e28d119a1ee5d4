"""The database of a workspace: the only place that knows SQL."""
