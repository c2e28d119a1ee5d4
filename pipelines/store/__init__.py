"""Storage of a workspace: its database, its artifacts, and objects in an object store."""
