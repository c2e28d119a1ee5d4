"""What Streamlit's theme settings cannot say, in the words of its own page.

The colours are those of the editor's ``tokens.css``; a test compares them.
"""

from __future__ import annotations

from typing import Literal

Theme = Literal["light", "dark"]

COMMON = """
<style>
  .stMainBlockContainer { padding-top: 4.75rem; }
  [data-testid="stBaseButton-primary"],
  [data-testid="stBaseButton-primaryFormSubmit"],
  [data-testid="stMultiSelectTagsContainer"] :is([data-tag], [data-tag] *) {
    color: light-dark(#ffffff, #0d1420);
  }
  /* Streamlit's own is too faint to be read by everybody. */
  [data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] :is(p, li) {
    color: light-dark(#4f5a6a, #adb7c5);
    opacity: 1;
  }
  [data-testid="stVegaLiteChart"] :is([class*="role-axis-"], [class*="role-legend-"]) > text {
    fill: light-dark(#4f5a6a, #adb7c5);
  }
  /* The whole of a long name, on two lines where one is too short. */
  [data-testid="stMetricValue"] * { overflow-wrap: anywhere; white-space: normal; }
  /* The tools of a table stand above it: where they come by a tap, or a line is short, they have
     room of their own there. Elsewhere they come over the right end of what is above. Outside its
     box: a table of a given height would leave the box below otherwise. */
  @media (max-width: 640px), (hover: none) {
    [data-testid="stElementContainer"]:has([data-testid="stDataFrame"]) { margin-top: 1.625rem; }
  }
  /* Its words begin where those above and below it do. */
  [data-testid="stPageLink"] { margin-left: -0.5rem; }
  /* A long name goes on in the next line. */
  [data-testid="stPageLink-NavLink"] :is(span, p) {
    overflow-wrap: anywhere;
    white-space: normal;
  }
  [data-testid="stTopNavLink"][aria-current="page"] {
    background: light-dark(#e9f0fe, #1e2b47);
  }
  [data-testid="stTopNavLink"][aria-current="page"] :is(p, span) {
    color: light-dark(#1d55bf, #8fb3ff);
  }
  /* While the server is gone they lead nowhere, and are to be read all the same. */
  :is([data-testid="stTopNavLink"], [data-testid="stSidebarNavLink"],
    [data-testid="stPageLink-NavLink"])[disabled] :is(p, span) {
    color: light-dark(#4f5a6a, #adb7c5);
  }
  /* Where the line is short the pages are at the left, folded away: no stop of the Tab key then. */
  [data-testid="stSidebar"][data-collapsed="true"] { visibility: hidden; }
  /* A grey behind it is not seen by everybody. */
  :is([data-testid="stTopNavLink"], [data-testid="stPageLink-NavLink"], .stMain,
    [data-testid="stSidebarNavLink"], [data-testid="stExpandSidebarButton"],
    [data-testid="stSidebarCollapseButton"] button,
    [data-testid="stBaseButton-elementToolbar"]):focus-visible {
    outline: 2px solid light-dark(#2563d9, #6c9cff);
    outline-offset: -2px;
  }
  [data-testid="stDataFrame"]:has([data-testid="data-grid-canvas"]:focus-visible) {
    outline: 2px solid light-dark(#2563d9, #6c9cff);
  }
  /* They come when the mouse is over what they belong to, and for who comes by keys too. */
  [data-testid="stElementToolbar"]:focus-within { opacity: 1; z-index: 1; }
  /* An anchor at each heading is one more stop of the Tab key before what can be done. */
  [data-testid="stHeaderActionElements"] { display: none; }
  /* The title and the button that closes stay where they are, and so does the foot of a dialog with
     an output, whichever of its tabs is shown: only what is between them is scrolled. A dialog has
     14 pixels around it; with Streamlit's own 28 more the whole of it could be scrolled too. */
  div[data-testid="stDialog"] { padding: 14px 0; }
  [data-testid="stDialog"] > div:has(> [role="dialog"]) { max-height: calc(100dvh - 56px); }
  [data-testid="stDialog"]:has(.st-key-looked-at) > div:has(> [role="dialog"]) {
    height: calc(100dvh - 56px);
  }
  [data-testid="stDialog"]:has(.st-key-looked-at) [role="dialog"] { height: 100%; }
  [data-testid="stDialog"] [role="dialog"] { max-height: inherit; min-height: 0; }
  [data-testid="stDialog"] [role="dialog"] > div { overflow-y: auto; min-height: 0; }
  /* The editor lies edge to edge. By what the page holds, not by a word of the screen: that would
     come after the editor now and then, and what is under the pointer would move. */
  .stMainBlockContainer:has(.st-key-editor, [class*="st-key-replay-"]) {
    padding: 3.75rem 0 0;
    max-width: none;
  }
  .stMain:has(.st-key-editor, [class*="st-key-replay-"]) { overflow: hidden; }
  .stMainBlockContainer:has(.st-key-editor, [class*="st-key-replay-"])
    [data-testid="stVerticalBlock"] { gap: 0; }
</style>
"""
"""In the head of every page (`designer_app.server.page_shell`), and sent with every visit."""
SCHEME = """
<style>
  /* Streamlit tells its app only: dialogs stand beside it. */
  :root {{ color-scheme: {theme}; }}
</style>
"""


def common_styles(theme: Theme | None) -> str:
    """What every page has; ``theme`` as Streamlit knows it, None before it does."""
    return COMMON if theme is None else COMMON + SCHEME.format(theme=theme)
