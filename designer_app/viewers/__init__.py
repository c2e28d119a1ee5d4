"""What is in an output, shown on a page: a viewer for each type of artifact.

``output_view.show_output`` draws it wherever a page calls it; ``dialog.look`` draws it above the
Design page. What is shown is computed in ``pipelines.inspection``, without Streamlit.
"""
