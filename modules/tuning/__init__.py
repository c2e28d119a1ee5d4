"""Tune Model Hyperparameters: trials, their records and their table."""
