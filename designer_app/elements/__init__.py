"""Small custom elements on the pages, each built from the files of its name in this folder."""
