/** Messages with placeholders for facts, formatted as in `modules/sentences/sentence.py`. */

import type { JsonValue } from "../types";
import { type FormRule, localNumber, translation } from "./catalog";

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

export function messageOf({ sentence: [reason, message], facts }: Statement): string {
  return filled(message, facts, reason);
}

export function cureOf({ sentence: [reason, , cure = ""], facts }: Statement): string {
  return filled(cure, facts, `${reason}.cure`);
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
  return rest > 0 ? filled("{items} and {count:,} more", { items: shown, count: rest }) : shown;
}

/** A text in the language of the page, with its placeholders filled. */
export function filled(text: string, facts: Facts, context?: string): string {
  const { text: translated, formOf } = translation(text, context);
  return fill(translated, facts, formOf);
}

/** A text with its placeholders filled, in the language of this plural rule. */
export function fill(text: string, facts: Facts, formOf: FormRule): string {
  if (!text.includes("{")) return text;
  return text.replace(PLACE, (_, name: string, isQuoted?: string, rule = "") =>
    written(facts[name] ?? "", rule, formOf, Boolean(isQuoted)),
  );
}

function written(fact: Fact, rule: string, formOf: FormRule, isQuoted: boolean): string {
  if (rule.includes("|")) {
    const forms = rule.split("|");
    const count = typeof fact === "number" ? fact : 0;
    return forms[Math.min(formOf(count), forms.length - 1)] ?? "";
  }
  if (isList(fact)) return examples(fact, rule || ", ");
  if (typeof fact === "number") return rule ? grouped(fact) : localNumber(`${fact}`);
  if (typeof fact !== "string") return `${messageOf(fact)} ${cureOf(fact)}`.trimEnd();
  return isQuoted ? quoted(fact) : fact;
}

function jsonOf(fact: Fact): JsonValue {
  if (isList(fact)) return { first: fact.slice(0, MOST_EXAMPLES), count: fact.length };
  return typeof fact === "object" ? reasonOf(fact) : fact;
}

function isList(fact: Fact): fact is readonly string[] {
  return Array.isArray(fact);
}

function grouped(value: number): string {
  return localNumber(value.toLocaleString("en-US"));
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
