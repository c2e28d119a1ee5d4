"""Runs: submission, progress, comparison, deletion and reports."""
