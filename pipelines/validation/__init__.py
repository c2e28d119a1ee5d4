"""Checks of a document in a workspace: approved code, data, models, environments, targets."""
