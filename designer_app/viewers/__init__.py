"""Viewers of outputs on pages: one per type of artifact.

``output_view.show_output`` draws an output on any page; ``dialog.look`` draws it above the Design
page. The data is computed in ``pipelines.inspection``, without Streamlit.
"""
