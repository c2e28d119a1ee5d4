"""Sweeps: searches for parameter values, whose trials are ordinary runs of one pipeline."""
