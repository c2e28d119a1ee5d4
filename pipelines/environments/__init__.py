"""Environments: which Python and which packages a script runs with, locked, built and shared.

A definition says what is wanted, a lock what exactly that is, a key names what is built of it.
Folders are disposable: any is built again from its lock.
"""
