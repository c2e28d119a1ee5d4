"""Layouts of datasets: parts, class folders, tables of labels, labels in file names."""
