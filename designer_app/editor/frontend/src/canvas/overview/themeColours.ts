/** The colours of the editor's variables, for a canvas that cannot read them itself. */

const NAMES = [
  "panel",
  "text",
  "accent",
  "line-strong",
  "ok-soft",
  "reuse-soft",
  "run",
  "run-soft",
  "fail",
  "fail-soft",
  "font",
] as const;

export type ThemeColours = Readonly<Record<(typeof NAMES)[number], string>> & {
  readonly types: ReadonlyMap<string, string>;
};

const TYPES = ["grey", "green", "violet", "amber", "red", "blue"];

export function themeColours(root: HTMLElement): ThemeColours {
  const style = getComputedStyle(root);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const entries = NAMES.map((name) => [name, read(name)] as const);
  const types = new Map(TYPES.map((name) => [name, read(`type-${name}`)]));
  return { ...(Object.fromEntries(entries) as Record<(typeof NAMES)[number], string>), types };
}
