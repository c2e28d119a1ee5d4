"""Replays: finished runs as small files that play anywhere with this program alone.

``recording`` creates one from a run, ``archive`` writes and reads the file, ``library`` stores
those of a workspace, ``format`` defines the content. Reading needs no data, GPU, network or torch.
"""
