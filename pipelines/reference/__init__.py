"""Reference of modules, errors and commands, generated from the code."""
