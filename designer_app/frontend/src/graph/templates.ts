/** Placeholders in arguments for values known only at run time, completed while typing. */

import type { ModuleSpec } from "./types";

/** Return `{{inputs.images}}`, ... and the variables that arguments may refer to. */
export function templatesOf(module: ModuleSpec): readonly string[] {
  const named = (kind: string, parts: readonly { readonly id: string }[]): readonly string[] =>
    parts.map(({ id }) => `{{${kind}.${id}}}`);
  return [
    ...named("inputs", module.inputs),
    ...named("outputs", module.outputs),
    ...named("parameters", module.parameters),
    ...(module.launches ? ["$LOCAL_RANK", "$RANK", "$NODE_RANK"] : []),
  ];
}

export interface Completion {
  /** Start of the incomplete text, which the chosen completion replaces. */
  readonly from: number;
  readonly to: number;
  readonly options: readonly string[];
}

/** Incomplete placeholder before the caret: `{{inp`, also as `${{inp`, or `$LOC`. */
const INCOMPLETE = /\$?\{\{\s*[\w.]*$|\$\w*$/;

/** Completions at the caret; undefined if there are none. */
export function completionAt(
  text: string,
  caret: number,
  templates: readonly string[],
): Completion | undefined {
  const typed = INCOMPLETE.exec(text.slice(0, caret))?.[0];
  if (typed === undefined) return undefined;
  const wanted = typed.replace(/^\$\{/, "{").replace(/\s/g, "").toLowerCase();
  const options = templates.filter((template) => isFound(template.toLowerCase(), wanted));
  if (options.length === 0) return undefined;
  // the closing braces may follow the caret
  const closing = typed.includes("{{") ? (/^\s*\}{1,2}/.exec(text.slice(caret))?.[0] ?? "") : "";
  return { from: caret - typed.length, to: caret + closing.length, options };
}

/** Match the start, or the part after the dot: `{{im` finds `{{inputs.images}}`. */
function isFound(template: string, wanted: string): boolean {
  if (template.startsWith(wanted)) return true;
  if (!wanted.startsWith("{{") || wanted.includes(".")) return false;
  return template.includes(`.${wanted.slice(2)}`);
}
