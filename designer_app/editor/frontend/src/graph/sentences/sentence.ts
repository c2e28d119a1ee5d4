/** Messages with placeholders for facts, formatted as in `modules/sentences/sentence.py`. */

import type { JsonValue } from "../types";

/** Permanent reason, message, fix; `Name` are the facts that it has placeholders for. */
export type Sentence<Name extends string = string> = readonly [
  key: string,
  message: string,
  cure?: string,
  facts?: Name,
];

/** A message with its facts; it can be a fact of another message, as text. */
export interface Statement {
  readonly sentence: Sentence;
  readonly facts: Facts;
}

export type Fact = string | number | Statement | readonly string[];
export type Facts = Readonly<Record<string, Fact>>;

const MOST_EXAMPLES = 10;
const PLACE = /\{(\w+)(!r)?(?::([^}]*))?\}/g;

export function about<Name extends string>(
  sentence: Sentence<Name>,
  facts: Readonly<Record<Name, Fact>>,
): Statement {
  return { sentence, facts };
}

export function messageOf({ sentence: [, message], facts }: Statement): string {
  return filled(message, facts);
}

export function cureOf({ sentence: [, , cure = ""], facts }: Statement): string {
  return filled(cure, facts);
}

/** Return the key of the message and its facts: everything that another language needs. */
export function reasonOf({ sentence: [reason], facts }: Statement): {
  reason: string;
  facts: { readonly [name: string]: JsonValue };
} {
  const entries = Object.entries(facts).map(([name, fact]) => [name, jsonOf(fact)] as const);
  return { reason, facts: Object.fromEntries(entries) };
}

/** List at most ten items, then the number of the others: `a, b and 312 more`. */
export function examples(items: readonly string[], between = ", "): string {
  const shown = items.slice(0, MOST_EXAMPLES).join(between);
  const rest = items.length - MOST_EXAMPLES;
  return rest > 0 ? `${shown} and ${grouped(rest)} more` : shown;
}

function filled(text: string, facts: Facts): string {
  return text.replace(PLACE, (_, name: string, isQuoted?: string, rule = "") => {
    const fact = facts[name] ?? "";
    if (rule.includes("|")) return rule.split("|")[fact === 1 ? 0 : 1] ?? "";
    if (isList(fact)) return examples(fact, rule || ", ");
    if (typeof fact === "number") return rule ? grouped(fact) : `${fact}`;
    if (typeof fact !== "string") return `${messageOf(fact)} ${cureOf(fact)}`.trimEnd();
    return isQuoted ? quoted(fact) : fact;
  });
}

function jsonOf(fact: Fact): JsonValue {
  if (isList(fact)) return { first: fact.slice(0, MOST_EXAMPLES), count: fact.length };
  return typeof fact === "object" ? reasonOf(fact) : fact;
}

function isList(fact: Fact): fact is readonly string[] {
  return Array.isArray(fact);
}

function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

/** Quote a text as Python does. */
function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return (
    mark + text.replace(/(?! )[\\'"\p{C}\p{Z}]/gu, (character) => escaped(character, mark)) + mark
  );
}

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(letter: string, mark: string): string {
  if (letter === "\\" || letter === mark) return `\\${letter}`;
  if (letter === "'" || letter === '"') return letter;
  const code = letter.codePointAt(0) ?? 0;
  const [sign, width] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return SHORT[letter] ?? `\\${sign}${code.toString(16).padStart(width, "0")}`;
}
