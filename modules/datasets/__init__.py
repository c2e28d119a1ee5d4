"""Import Images: samples, folders, archives, the web and registered datasets."""
