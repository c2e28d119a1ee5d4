"""Environments: Python and packages of scripts, locked, built and shared.

A definition is the request, a lock the exact result, a key names what is built. Built folders are
disposable: they can be built again from their lock.
"""
