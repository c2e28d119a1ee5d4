"""Schedules, and the process beside the runner that fires them and keeps deployed endpoints."""
