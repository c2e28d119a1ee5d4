"""Visual editor: its Python side here, its browser side in ``frontend/``."""
