/** What dialogs, menus and logs look like, in the root that they are drawn in. */

import type { ReactElement } from "react";

import { lazyStyles } from "../styles/lazyStyles";

export function LazyStyles(): ReactElement {
  return <style>{lazyStyles}</style>;
}
