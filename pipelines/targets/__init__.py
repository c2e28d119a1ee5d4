"""Compute targets: this machine, simulated machines, Slurm, Ray, Kubernetes and SSH."""
