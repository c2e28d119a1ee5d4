"""Convert to, Split and Align: from a folder to checked, labelled images."""
