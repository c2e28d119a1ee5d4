"""Schedules, and the child process of the runner that fires them and keeps deployed endpoints."""
