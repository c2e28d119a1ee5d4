"""Small elements of our own on the pages, each made of the files of its name in this folder."""
