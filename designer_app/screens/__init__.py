"""Pages of the app: one file per page; everything they show comes from the application.

The folder must not be named `pages`: at the first visit of a deep link Streamlit would turn every
file of such a folder next to `main.py` into a page.
"""
