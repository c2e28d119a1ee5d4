/** Navigation of the app: a row of its pages, in narrow windows a menu. */

import type { ReactElement } from "react";

import { t } from "../../graph/translate";

/** Entry of the navigation, written into the page by the server. */
export interface PageEntry {
  readonly title: string;
  /** Name of a Material symbol, whose font comes with the style sheet of the app. */
  readonly icon: string;
  readonly address: string;
}

/** Page that this one belongs to. */
const DATA = "/data";
const MENU = "pc-pages";

export function AppNavigation({ pages }: { readonly pages: readonly PageEntry[] }): ReactElement {
  return (
    <div className="pc-top">
      <button
        type="button"
        className="pc-menu"
        popoverTarget={MENU}
        aria-label={t("Pages")}
        data-testid="pages-menu"
      >
        <MaterialSymbol name="menu" />
      </button>
      <nav id={MENU} popover="auto" className="pc-pages" aria-label={t("Pages")}>
        {pages.map(({ title, icon, address }) => (
          <a key={address} href={address} aria-current={address === DATA || undefined}>
            <MaterialSymbol name={icon} />
            {title}
          </a>
        ))}
      </nav>
    </div>
  );
}

function MaterialSymbol({ name }: { readonly name: string }): ReactElement {
  return (
    <span className="pc-symbol" aria-hidden translate="no">
      {name}
    </span>
  );
}
