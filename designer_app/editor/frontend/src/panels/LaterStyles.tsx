/** What dialogs, menus and logs look like, in the root that they are drawn in. */

import type { ReactElement } from "react";

import { laterStyles } from "../styles/later";

export function LaterStyles(): ReactElement {
  return <style>{laterStyles}</style>;
}
