"""Compute targets: where steps run."""
