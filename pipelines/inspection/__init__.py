"""Inspection of artifacts: summaries read from their files, without torch and without a UI."""
