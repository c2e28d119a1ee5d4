"""Styles beyond Streamlit's theme settings, based on the structure of its page.

The colors are those of the editor's ``tokens.css``; a test compares them.
"""

from __future__ import annotations

from typing import Literal

Theme = Literal["light", "dark"]

COMMON = """
<style>
  /* As wide and as far down from the start as when the page is drawn: Streamlit first uses the
     narrow layout. It loads its own rules after these, so that these need to be more specific. */
  .stMain .stMainBlockContainer { padding-top: 4.75rem; max-width: none; }
  @media (min-width: calc(736px + 8rem)) {
    .stMain .stMainBlockContainer { padding-inline: 5rem; }
  }
  /* Room for what is loaded later, so that nothing below it moves: figures, lists, thumbnails. */
  [data-testid="stHorizontalBlock"]
    > [data-testid="stElementContainer"]:not([class*="st-key-"]):has(> [data-testid="stSkeleton"]),
  .st-key-run-result { min-height: 53px; }
  /* A row appears as a whole: its parts have their widths only when all are loaded. */
  [data-testid="stHorizontalBlock"]:has(> * > [data-testid="stSkeleton"]) { visibility: hidden; }
  /* As a title that is alone in its line. */
  .st-key-runs-head { padding-block: 1.25rem 1rem; }
  .st-key-start { min-height: 139px; }
  .st-key-recent { min-height: 184px; }
  .st-key-targets { min-height: 103px; }
  .st-key-models, .st-key-endpoints, .st-key-published { min-height: 103px; }
  .st-key-model-actions, .st-key-endpoint-actions { min-height: 35px; }
  :is(.st-key-model-actions, .st-key-endpoint-actions) > [data-testid="stElementContainer"] {
    min-height: 35px !important;
  }
  [class*="st-key-version-shown-"] { min-height: 53px; }
  .st-key-environments { min-height: 126px; }
  .st-key-lessons { min-height: 880px; }
  .st-key-drop > [data-testid="stSkeleton"] { display: none; }
  [class*="st-key-class-look-"] { min-height: 82px; }
  /* Cards in one column; on wider screens this room would stay empty. */
  @media (max-width: 400px) {
    .st-key-run-facts { min-height: 4.25rem; }
    .st-key-run-result { min-height: 133px; }
    .st-key-start { min-height: 205px; }
    .st-key-recent-2 { min-height: 378px; }
    .st-key-recent-3 { min-height: 572px; }
    .st-key-recent-4 { min-height: 766px; }
  }
  /* Figures on a phone: places of a fixed size, which do not depend on values that come later. */
  @media (max-width: 640px) {
    [data-testid="stHorizontalBlock"][class*="st-key-figures-"] {
      display: grid;
      grid-template-columns: repeat(2, minmax(0, 1fr));
      gap: 0.75rem 1rem;
    }
    [data-testid="stHorizontalBlock"][class*="st-key-heading-"] {
      flex-direction: column;
      align-items: flex-start;
    }
    /* Two rows of buttons. */
    :is(.st-key-model-actions, .st-key-endpoint-actions) { min-height: 84px; }
    [class*="st-key-figures-"] > [data-testid="stElementContainer"] { min-height: 53px; }
    [class*="st-key-figures-"] [data-testid="stMetricValue"] { font-size: 1.125rem; }
  }
  [class*="-drawn "]:not(:has(.marks)) { min-height: 240px; }
  .st-key-sweep-coordinates-drawn:not(:has(.marks)) { min-height: 260px; }
  [data-testid="stBaseButton-primary"],
  [data-testid="stBaseButton-primaryFormSubmit"],
  [data-testid="stMultiSelectTagsContainer"] :is([data-tag], [data-tag] *) {
    color: light-dark(#ffffff, #0d1420);
  }
  /* Streamlit's color has too little contrast. */
  [data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] :is(p, li) {
    color: light-dark(#4f5a6a, #adb7c5);
    opacity: 1;
  }
  [data-testid="stVegaLiteChart"] :is([class*="role-axis-"], [class*="role-legend-"]) > text {
    fill: light-dark(#4f5a6a, #adb7c5);
  }
  /* The editor continues to work while the page's script runs, so Streamlit must not fade it. */
  :is(.st-key-editor, [class*="st-key-replay-"])[data-stale="true"] { opacity: 1; }
  /* Wrap long names instead of truncating them. */
  [data-testid="stMetricValue"] * { overflow-wrap: anywhere; white-space: normal; }
  /* The toolbar of a table is above it: on touch screens and narrow windows in a margin of its
     element, elsewhere over the right end of the element above. A margin, not a padding, because
     a table with a fixed height would overflow its element. */
  @media (max-width: 640px), (hover: none) {
    [data-testid="stElementContainer"]:has([data-testid="stDataFrame"]) { margin-top: 1.625rem; }
  }
  /* Align the text with the text above and below. */
  [data-testid="stPageLink"] { margin-left: -0.5rem; }
  /* A way back, not the current page, although its address is the same without the query. */
  .st-key-sweep-back [data-testid="stPageLink-NavLink"]:not(:hover) { background: none; }
  .st-key-sweep-back [data-testid="stPageLink-NavLink"] :is(span, p) { font-weight: inherit; }
  /* Wrap long names. */
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
  /* On tablets, all pages fit next to the theme switch only without icons. */
  @media (max-width: 880px) {
    [data-testid="stTopNavLink"] > :has([data-testid="stIconMaterial"]) { display: none; }
  }
  [class*="st-key-compare-mark-"] { min-height: 2.5rem; }
  /* Disabled while the server is unreachable, but still readable. */
  :is([data-testid="stTopNavLink"], [data-testid="stSidebarNavLink"],
    [data-testid="stPageLink-NavLink"])[disabled] :is(p, span) {
    color: light-dark(#4f5a6a, #adb7c5);
  }
  /* In a narrow window the pages are in the collapsed sidebar, which is not a tab stop. */
  [data-testid="stSidebar"][data-collapsed="true"] { visibility: hidden; }
  /* A gray background alone has too little contrast. */
  :is([data-testid="stTopNavLink"], [data-testid="stPageLink-NavLink"], .stMain,
    [data-testid="stSidebarNavLink"], [data-testid="stExpandSidebarButton"],
    [data-testid="stSidebarCollapseButton"] button,
    [data-testid="stBaseButton-elementToolbar"]):focus-visible {
    outline: 2px solid light-dark(#2563d9, #6c9cff);
    outline-offset: -2px;
  }
  /* Inside the tab: the row of tabs hides what is beyond it. */
  [data-testid="stTabs"] [role="tab"]:focus-visible {
    outline: 2px solid light-dark(#2563d9, #6c9cff);
    outline-offset: -2px;
    box-shadow: none;
  }
  [data-testid="stDataFrame"]:has([data-testid="data-grid-canvas"]:focus-visible) {
    outline: 2px solid light-dark(#2563d9, #6c9cff);
  }
  /* Shown on hover, and on keyboard focus too. */
  [data-testid="stElementToolbar"]:focus-within { opacity: 1; z-index: 1; }
  /* Anchors of headings would be additional tab stops. */
  [data-testid="stHeaderActionElements"] { display: none; }
  /* Dialogs look as those of the editor. */
  div[data-testid="stDialog"] { background: light-dark(rgb(20 28 42 / 42%), rgb(4 7 12 / 62%)); }
  [data-testid="stDialog"] > div:has(> [role="dialog"]) {
    border: 1px solid light-dark(#cfd5dd, #3a4352);
    border-radius: 12px;
  }
  /* The title, the close button and the footer of an output dialog stay in place in all its tabs:
     only the content between them scrolls. A dialog has a margin of 14 pixels; with Streamlit's
     28 more the whole dialog would scroll too. */
  div[data-testid="stDialog"] { padding: 14px 0; }
  [data-testid="stDialog"] > div:has(> [role="dialog"]) { max-height: calc(100dvh - 56px); }
  [data-testid="stDialog"]:has(.st-key-looked-at) > div:has(> [role="dialog"]) {
    height: calc(100dvh - 56px);
  }
  [data-testid="stDialog"]:has(.st-key-looked-at) [role="dialog"] { height: 100%; }
  [data-testid="stDialog"] [role="dialog"] { max-height: inherit; min-height: 0; }
  [data-testid="stDialog"] [role="dialog"] > div { overflow-y: auto; min-height: 0; }
  /* The editor fills the window. Selected by the page's content, not by a class that the screen
     sets: that may arrive after the editor and move what is under the pointer. */
  .stMainBlockContainer:has(.st-key-editor, [class*="st-key-replay-"]) {
    padding: 3.75rem 0 0;
    max-width: none;
  }
  .stMain:has(.st-key-editor, [class*="st-key-replay-"]) { overflow: hidden; }
  .stMainBlockContainer:has(.st-key-editor, [class*="st-key-replay-"])
    [data-testid="stVerticalBlock"] { gap: 0; }
</style>
"""
"""Included in the head of every page (`designer_app.server.page_shell`), at every visit."""
SCHEME = """
<style>
  /* Streamlit sets it only on its app, and dialogs are outside the app. */
  :root {{ color-scheme: {theme}; }}
</style>
"""

UNDER_RUNS = frozenset({"run", "compare", "sweep"})
"""Addresses of pages without an entry in the navigation, which are reached from Runs."""
RUNS_ENTRY = """
<style>
  [data-testid="stTopNavLink"][href$="/runs"] { background: light-dark(#e9f0fe, #1e2b47); }
  [data-testid="stTopNavLink"][href$="/runs"] :is(p, span) {
    color: light-dark(#1d55bf, #8fb3ff);
  }
</style>
"""
"""Mark of the entry Runs on these pages."""


def common_styles(theme: Theme | None) -> str:
    """Return the styles of every page; ``theme`` is Streamlit's name, None before it is known."""
    return COMMON if theme is None else COMMON + SCHEME.format(theme=theme)
