/** Texts in another language; the same cases are run in Python. */

import { readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { setCatalog } from "../src/graph/sentences/catalog";
import { type Fact, filled } from "../src/graph/sentences/sentence";
import { t } from "../src/graph/translate";
import { load } from "./cases";

interface Entry {
  readonly context?: string;
  readonly text: string;
  readonly translation: string;
}

interface Case<Text> {
  readonly text: Text;
  readonly facts: Readonly<Record<string, Fact>>;
  readonly expected: string;
}

interface Translations {
  readonly language: string;
  readonly separators: readonly [string, string];
  readonly texts: readonly Entry[];
  readonly cases: readonly Case<number>[];
  readonly untranslated: Case<string>;
}

const { language, separators, texts, cases, untranslated } =
  load<Translations>("translations.json");

describe("another language", () => {
  beforeAll(() => {
    const entries = texts.map(({ context, text, translation }) => [
      context === undefined ? text : `${context}\u0004${text}`,
      translation,
    ]);
    setCatalog({ language, separators, texts: Object.fromEntries(entries) });
  });
  afterAll(() => setCatalog(undefined));

  test.each(cases)("$expected", ({ text, facts, expected }) => {
    const entry = texts[text];
    expect(filled(entry?.text ?? "", facts, entry?.context)).toBe(expected);
  });

  test("a text without translation is English", () => {
    expect(filled(untranslated.text, untranslated.facts)).toBe(untranslated.expected);
  });
});

test("scripts of elements translate in the same way", () => {
  const script = readFileSync(new URL("../../translate.js", import.meta.url), "utf8");
  const open = new Function("globalThis", `${script}\nreturn t;`) as (
    page: unknown,
  ) => (text: string, facts: unknown) => string;
  const plain = texts.filter(({ context }) => context === undefined);
  const entries = plain.map(({ text, translation }) => [text, translation]);
  const page = { designerCatalog: { language, separators, texts: Object.fromEntries(entries) } };
  for (const { text, facts, expected } of cases) {
    const entry = texts[text];
    if (entry && entry.context === undefined) {
      expect(open(page)(entry.text, facts)).toBe(expected);
    }
  }
  expect(open({})(untranslated.text, untranslated.facts)).toBe(untranslated.expected);
});

test("English is the text itself, with its placeholders filled", () => {
  expect(t("Close")).toBe("Close");
  expect(t("{count:,} {count:run|runs} of {name}", { count: 1234, name: "a" })).toBe(
    "1,234 runs of a",
  );
});
