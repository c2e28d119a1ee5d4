"""Replays: a finished run as one small file that plays back where nothing but this program is.

``recording`` makes one from a run, ``archive`` writes and reads the file, ``shelf`` keeps those
of a workspace, ``format`` says what is in it. Reading needs no data, GPU, network or torch.
"""
