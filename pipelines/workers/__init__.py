"""Processes of a step: fork server, agent of a machine, module host, and their files."""
