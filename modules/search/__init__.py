"""Search for values: spaces, strategies and early stopping, for sweeps and Tune Model
Hyperparameters."""
