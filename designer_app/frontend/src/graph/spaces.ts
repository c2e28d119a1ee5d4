/** Values to try for a parameter: in the text form of the command line, and as people read them. */

import { localNumber } from "./sentences/catalog";
import { t } from "./translate";
import type { JsonValue, ParameterSpec } from "./types";
import type { SweepSpace } from "./types.gen";

const NUMBER = String.raw`[+-]?(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:e[+-]?\d+)?`;
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?::(linear|log|int))?$`, "i");
const KINDS = { linear: "linear", log: "log", int: "integer" } as const;

/** Return `4,8,16`, `0.1..0.9`, `1e-3..1e-1:log` or `1..9:int` as a space; undefined if it is none. */
export function parseSpace(text: string, parameter: ParameterSpec): SweepSpace | undefined {
  const isText = parameter.type === "string";
  const range = isText ? null : RANGE.exec(text.trim());
  if (range) {
    const [, low = "", high = "", suffix] = range;
    const whole = parameter.type === "integer" ? "int" : "linear";
    const kind = KINDS[(suffix?.toLowerCase() ?? whole) as keyof typeof KINDS];
    return { kind, low: Number(low), high: Number(high) };
  }
  const parts = text.split(",").map((part) => part.trim());
  if (parts.some((part) => part === "")) return undefined;
  if (isText) return choices(parts);
  try {
    const whole = text.trim().startsWith("[") ? text : `[${text}]`;
    const parsed = JSON.parse(whole) as JsonValue;
    return Array.isArray(parsed) && parsed.length > 0 ? choices(parsed) : undefined;
  } catch {
    return undefined;
  }
}

/** Return a space in the form that `parseSpace` reads. */
export function spaceText(space: SweepSpace): string {
  if (space.kind === "choices") {
    const values = space.choices ?? [];
    const isNested = values.some((value) => typeof value === "object" && value !== null);
    if (isNested) return JSON.stringify(values);
    return values
      .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
      .join(", ");
  }
  const suffix = { log: ":log", integer: ":int", linear: "" }[space.kind];
  return `${String(space.low)}..${String(space.high)}${suffix}`;
}

/** Return a space as people read it: "4, 8, 16", "0.001 to 0.1, logarithmic". */
export function spaceWords(space: SweepSpace): string {
  if (space.kind === "choices") return spaceText(space);
  const [low, high] = [space.low, space.high].map((end) => localNumber(String(end)));
  const ends = { low: low ?? "", high: high ?? "" };
  if (space.kind === "log") return t("{low} to {high}, logarithmic", ends);
  if (space.kind === "integer") return t("{low} to {high}, whole numbers", ends);
  return t("{low} to {high}", ends);
}

/** Return the text of a space as people read it, and any other text as it is. */
export function wordsOfText(text: string, parameter: ParameterSpec | undefined): string {
  const space = parameter && parseSpace(text, parameter);
  return space ? spaceWords(space) : text;
}

/** Return a space of single values. */
export function choices(values: readonly JsonValue[]): SweepSpace {
  return { kind: "choices", choices: values, low: null, high: null };
}
