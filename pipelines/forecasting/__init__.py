"""Estimates of a run's time, memory and disk, from modules and measured steps."""
