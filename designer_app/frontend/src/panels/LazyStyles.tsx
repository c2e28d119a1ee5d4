/** Styles of dialogs, menus and logs, in the root that contains them. */

import type { ReactElement } from "react";

import { lazyStyles } from "../styles/lazyStyles";

export function LazyStyles(): ReactElement {
  return <style>{lazyStyles}</style>;
}
