"""What Streamlit's theme settings cannot say, in the words of its own page."""

from __future__ import annotations

COMMON = """
<style>
  .stMainBlockContainer { padding-top: 4.75rem; }
  [data-testid="stBaseButton-primary"],
  [data-testid="stBaseButton-primaryFormSubmit"] { color: light-dark(#ffffff, #0d1420); }
</style>
"""
EDGE_TO_EDGE = """
<style>
  .stMainBlockContainer { padding: 3.75rem 0 0; max-width: none; }
  .stMain { overflow: hidden; }
  .stMainBlockContainer [data-testid="stVerticalBlock"] { gap: 0; }
</style>
"""
