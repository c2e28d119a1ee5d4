"""Skeleton of the Design page, drawn as soon as a button that opens it is pressed.

The server may be busy for seconds before the editor can be drawn; meanwhile the page would be
unchanged, then blank. Elements mark such a button with ``data-leads-to="design"``; the event
``designer:shown`` removes the skeleton: the editor sends it when it is drawn, and an element when
it has an error to show.
"""

from __future__ import annotations

from designer_app.translation import _

PAGE_OUTLINE = """
<style>
  #page-outline {
    position: fixed; inset: 3.75rem 0 0; z-index: 99; display: grid; overflow: hidden;
    grid: 3.1rem minmax(0, 1fr) / 232px minmax(0, 1fr);
    font: 14px/1.5 "Source Sans", "Source Sans 3", "Source Sans Pro", system-ui, sans-serif;
    color: light-dark(#4f5a6a, #adb7c5); background: light-dark(#ffffff, #1a1f28);
  }
  #page-outline > * { border: 0 solid light-dark(#e3e6eb, #2a313d); }
  #page-outline > :first-child { grid-column: 1 / -1; border-bottom-width: 1px; }
  #page-outline > :nth-child(2) {
    display: grid; align-content: start; gap: 14px; padding: 20px 16px; border-right-width: 1px;
  }
  #page-outline i {
    height: 14px; border-radius: 5px; background: light-dark(#eef1f5, #232a35);
  }
  #page-outline p { margin: auto; }
  #page-outline > :last-child { display: grid; background: light-dark(#f6f7f9, #12161d); }
  @media (max-width: 640px) {
    #page-outline { grid-template: 5.6rem minmax(0, 1fr) / 45px minmax(0, 1fr); }
    #page-outline > :nth-child(2) { padding: 20px 10px; }
  }
</style>
<script>
  (() => {
    let outline, looking;
    const hide = () => {
      clearInterval(looking);
      outline?.remove();
      outline = undefined;
    };
    const has = (selector) => document.querySelector(selector) !== null;
    const isIdle = () => has('.stApp[data-test-script-state="notRunning"]');
    // the editor has neither: the pipeline does not exist any more, or the server has an error
    const words = '.stMain :is([data-testid="stHeading"], [data-testid="stException"])';
    const hasNoEditor = () => location.pathname !== "/design" || has(words);
    const show = () => {
      hide();
      outline = document.createElement("div");
      outline.id = "page-outline";
      outline.setAttribute("role", "status");
      const lines = "<i></i>".repeat(9);
      outline.innerHTML = `<div></div><div>${lines}</div><div><p>$opening</p></div>`;
      document.body.append(outline);
      looking = setInterval(() => { if (isIdle() && hasNoEditor()) hide(); }, 1000);
    };
    addEventListener("click", (event) => {
      const marked = '[data-leads-to="design"], .st-key-new-pipeline button';
      const leads = (each) => each instanceof Element && each.matches(marked) && !each.disabled;
      if (event.composedPath().some(leads)) show();
    }, { capture: true });
    addEventListener("designer:shown", hide);
    addEventListener("popstate", hide);
  })();
</script>""".replace("$opening", _("Opening the pipeline"))
