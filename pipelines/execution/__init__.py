"""Execution of runs: plan, executor, and the runner, one process per workspace."""
