"""Artifacts: content-addressed outputs of steps, their keys, manifests and removal."""
