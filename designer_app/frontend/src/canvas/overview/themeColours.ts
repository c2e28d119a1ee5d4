/** The colours of the editor's variables, for a canvas that cannot read them itself. */

import { CompactNodeStyles } from "./compactNodeStyles";

export interface ThemeColours {
  readonly panel: string;
  /** Color of wires whose type has no color. */
  readonly line: string;
  readonly types: ReadonlyMap<string, string>;
  readonly nodes: CompactNodeStyles;
}

const TYPES = ["grey", "green", "violet", "amber", "red", "blue"];

export function themeColours(root: HTMLElement): ThemeColours {
  const style = getComputedStyle(root);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    panel: read("panel"),
    line: read("line-strong"),
    types: new Map(TYPES.map((name) => [name, read(`type-${name}`)])),
    nodes: new CompactNodeStyles(root),
  };
}
