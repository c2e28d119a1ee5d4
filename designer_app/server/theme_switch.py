"""Theme switch of every page: system, light or dark, at once and without a reload.

Streamlit and the editor follow ``matchMedia("(prefers-color-scheme: dark)")``. The script replaces
that one query by an object that also considers the choice, and reports a change as the browser
does; so neither needs to know about the switch, and no edit or scroll position is lost.
"""

from __future__ import annotations

import json

from designer_app.translation import _

STORAGE_KEY = "designer-theme"
"""Key of the choice in the browser's storage: ``light`` or ``dark``; absent for the system's."""
NAMES = {"system": _("System"), "light": _("Light"), "dark": _("Dark")}

THEME_FOLLOWED = """
<script>
  (() => {
    const QUERY = "(prefers-color-scheme: dark)";
    const ask = matchMedia.bind(window);
    const system = ask(QUERY);
    const read = () => {
      try {
        return localStorage.getItem("$key");
      } catch {
        return null; // storage is blocked: the choice lasts until the page is closed
      }
    };
    const known = (choice) => (["light", "dark"].includes(choice) ? choice : "system");
    let choice = known(read());
    const isDark = () => (choice === "system" ? system.matches : choice === "dark");
    const dark = new EventTarget();
    Object.defineProperties(dark, { matches: { get: isDark }, media: { value: QUERY } });
    Object.assign(dark, {
      onchange: null,
      addListener: (listener) => dark.addEventListener("change", listener),
      removeListener: (listener) => dark.removeEventListener("change", listener),
    });
    window.matchMedia = (query) => (query === QUERY ? dark : ask(query));
    let shown;
    const show = () => {
      const matches = isDark();
      if (matches === shown) return;
      shown = matches;
      // of the whole document: Streamlit sets it only on its app, and dialogs are outside the app
      document.documentElement.style.colorScheme = matches ? "dark" : "light";
      dark.dispatchEvent(new MediaQueryListEvent("change", { matches, media: QUERY }));
    };
    show();
    system.addEventListener("change", show);
    const use = (wanted) => {
      choice = known(wanted);
      show();
      dispatchEvent(new Event("designer:theme"));
    };
    addEventListener("storage", ({ key }) => {
      if (key === "$key" || key === null) use(read()); // chosen in another tab
    });
    globalThis.designerTheme = {
      choice: () => choice,
      choose: (wanted) => {
        try {
          if (known(wanted) === "system") localStorage.removeItem("$key");
          else localStorage.setItem("$key", wanted);
        } catch {
          // not remembered
        }
        use(wanted);
      },
    };
    try {
      // choices in the menu of another Streamlit app at this address, which would come first
      for (const key of Object.keys(localStorage))
        if (key.startsWith("stActiveTheme-")) localStorage.removeItem(key);
    } catch {
      // nothing is stored
    }
  })();
</script>""".replace("$key", STORAGE_KEY)
"""Script that makes a page follow the choice; before all scripts that ask for the scheme."""

THEME_SWITCH = """
<style>
  #theme-switch {
    position: fixed; top: calc((3.75rem - 32px) / 2); right: 12px; z-index: 999991;
  }
  [data-testid="stToolbar"] { padding-right: 48px; }
  body:has(> #camera) > #theme-switch { position: absolute; } /* its header is not fixed */
  #theme-switch, #theme-choices {
    font: 14px/1.5 "Source Sans", "Source Sans 3", "Source Sans Pro", system-ui, sans-serif;
    color: light-dark(#1b2330, #e8ecf2);
  }
  #theme-switch > button {
    display: grid; place-items: center; width: 32px; height: 32px; padding: 0;
    color: inherit; background: none; border: 0; border-radius: 6px; cursor: pointer;
  }
  #theme-switch > button:hover { background: light-dark(#eef1f5, #232a35); }
  #theme-switch :focus-visible {
    outline: 2px solid light-dark(#2563d9, #6c9cff); outline-offset: -2px;
  }
  #theme-switch svg {
    width: 18px; height: 18px; fill: none; stroke: currentColor; stroke-width: 2;
    stroke-linecap: round; stroke-linejoin: round;
  }
  #theme-choices {
    position: fixed; inset: 3.5rem 12px auto auto; margin: 0; padding: 6px; min-width: 9rem;
    background: light-dark(#ffffff, #1a1f28);
    border: 1px solid light-dark(#cfd5dd, #3a4352); border-radius: 8px;
    box-shadow: 0 4px 16px light-dark(rgb(20 28 42 / 16%), rgb(0 0 0 / 50%));
  }
  #theme-choices label {
    display: flex; align-items: center; gap: 8px; padding: 5px 8px; border-radius: 6px;
    cursor: pointer;
  }
  #theme-choices label:hover { background: light-dark(#eef1f5, #232a35); }
  #theme-choices input { margin: 0; accent-color: light-dark(#2563d9, #6c9cff); }
  @media (pointer: coarse) {
    #theme-switch { top: calc((3.75rem - 44px) / 2); right: 6px; }
    #theme-switch > button { width: 44px; height: 44px; }
    #theme-choices label { min-height: 44px; }
  }
</style>
<script>
  addEventListener("DOMContentLoaded", () => {
    const names = $names;
    const icons = {
      system: '<circle cx="12" cy="12" r="9"/>' +
        '<path d="M12 3v18a9 9 0 0 0 0-18" fill="currentColor"/>',
      light: '<circle cx="12" cy="12" r="4"/><path d="M12 2v2m0 16v2M4.9 4.9l1.4 1.4m11.4 11.4' +
        ' 1.4 1.4M2 12h2m16 0h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4"/>',
      dark: '<path d="M12 3a6 6 0 0 0 9 9 9 9 0 1 1-9-9"/>',
    };
    const place = document.createElement("section");
    place.id = "theme-switch";
    place.setAttribute("aria-label", $theme);
    const choices = Object.keys(names).map((name) =>
      `<label><input type="radio" name="theme" value="${name}"><span></span></label>`);
    place.innerHTML = `<button type="button" popovertarget="theme-choices"></button>
      <div id="theme-choices" role="radiogroup" popover>${choices.join("")}</div>`;
    const button = place.querySelector("button");
    const menu = place.querySelector("div");
    menu.setAttribute("aria-label", $theme);
    for (const span of menu.querySelectorAll("span"))
      span.textContent = names[span.previousSibling.value];
    const show = () => {
      const chosen = designerTheme.choice();
      button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${icons[chosen]}</svg>`;
      button.title = `${$theme}: ${names[chosen]}`;
      button.setAttribute("aria-label", button.title);
      for (const input of menu.querySelectorAll("input")) input.checked = input.value === chosen;
    };
    menu.addEventListener("change", ({ target }) => designerTheme.choose(target.value));
    menu.addEventListener("toggle", ({ newState }) => {
      if (newState === "open") menu.querySelector("input:checked").focus();
    });
    // a click closes the menu, the arrow keys only choose
    menu.addEventListener("click", (event) => {
      if (event.target.matches("input") && event.detail > 0) menu.hidePopover();
    });
    addEventListener("designer:theme", show);
    show();
    document.body.append(place);
  });
</script>""".replace("$names", json.dumps(NAMES)).replace("$theme", json.dumps(_("Theme")))
"""Button at the right end of the navigation and its menu; in the page before Streamlit starts."""
