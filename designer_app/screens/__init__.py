"""The pages: each file draws one; all that they show comes from the application.

The folder is not called `pages`: Streamlit would take every file in a folder of that name beside
`main.py` for a page of its own at the first visit of a deep link.
"""
