"""``python -m designer_app``: the command ``designer app`` without its console script."""

from designer_app.command import start_app

if __name__ == "__main__":
    start_app()
