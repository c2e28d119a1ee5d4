"""One step of the store each, in order."""
