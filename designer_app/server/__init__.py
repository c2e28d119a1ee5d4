"""Server process: Streamlit's pages, the HTTP API and the editor's files at one address."""
