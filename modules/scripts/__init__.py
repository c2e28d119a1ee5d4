"""Scripts of users: Run Training Script, its launchers, models and logged metrics."""
