"""What Streamlit's theme settings cannot say, in the words of its own page."""

from __future__ import annotations

COMMON = """
<style>
  .stMainBlockContainer { padding-top: 4.75rem; }
  [data-testid="stBaseButton-primary"],
  [data-testid="stBaseButton-primaryFormSubmit"] { color: light-dark(#ffffff, #0d1420); }
  /* Streamlit's own is too faint to be read by everybody. */
  [data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] :is(p, li) {
    color: light-dark(#4f5a6a, #a2adbd);
    opacity: 1;
  }
  [data-testid="stTopNavLink"][aria-current="page"] {
    background: light-dark(#e9f0fe, #20304f);
  }
  [data-testid="stTopNavLink"][aria-current="page"] :is(p, span) {
    color: light-dark(#1d55bf, #9cbcff);
  }
</style>
"""
EDGE_TO_EDGE = """
<style>
  .stMainBlockContainer { padding: 3.75rem 0 0; max-width: none; }
  .stMain { overflow: hidden; }
  .stMainBlockContainer [data-testid="stVerticalBlock"] { gap: 0; }
</style>
"""
