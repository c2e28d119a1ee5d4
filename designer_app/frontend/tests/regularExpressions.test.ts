/** No text from outside may block a regular expression of the editor: each one is attacked here.
 *
 * A text repeats a run of an expression's own parts before something that fails. Linear time grows
 * fourfold from one size to the next, quadratic time sixteenfold. */

import { readFileSync, readdirSync } from "node:fs";

import ts from "typescript";
import { describe, expect, test } from "vitest";

const SOURCE = new URL("../src/", import.meta.url);
const SCREENING_SIZE = 3_000;
const NUM_ATTACKS = 4;
const SIZES = [4_000, 16_000, 64_000];
const NOTICED_MS = 60;
const LARGEST_GROWTH = 9;
const MOST_PARTS = 8;
/** Patterns that only match the editor's own sentences. */
const OWN_TEXTS = new Set([String.raw`/\{(\w+)(!r)?(?::([^}]*))?\}/g`]);

const PART =
  /\\[pP]\{[^}]*\}|\\u[0-9a-f]{4}|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?::|<?[=!]))?|\{\d+(?:,\d*)?\}|./gs;
const NO_TEXT = /^(?:[\^$()|*+?]|\(\?.*|\{\d.*|\\[bB])$/s;
const SAMPLES = ["a", "0", "A", " ", "-", "_", ".", "/", "*", "[", "(", "{", "$", '"', "\n", "é"];

/** Texts that the parts of an expression match, at most two for each part. */
function samples(source: string, flags: string): readonly (readonly string[])[] {
  const unicode = flags.includes("u") ? "u" : "";
  return (source.match(PART) ?? []).flatMap((part) => {
    if (NO_TEXT.test(part)) return [];
    const one = new RegExp(`^(?:${part})$`, `s${unicode}`);
    const matching = [...SAMPLES, ...part].filter((sample) => one.test(sample));
    return matching.length > 0 ? [matching.slice(0, 2)] : [];
  });
}

function attacks(source: string, flags: string): readonly string[] {
  const parts = samples(source, flags);
  const attacks = new Set<string>();
  parts.forEach((_, first) => {
    for (let end = first + 1; end <= Math.min(parts.length, first + MOST_PARTS); end += 1) {
      const run = parts.slice(first, end);
      attacks.add(run.map(([usual]) => usual).join(""));
      attacks.add(run.map((texts) => texts.at(-1)).join(""));
    }
  });
  return [...attacks];
}

/** Processor milliseconds of a search through the whole text, after the prefix of its core. */
function cost(expression: RegExp, core: string, size: number): number {
  const start = samples(expression.source, expression.flags).map(([usual]) => usual);
  const text = `${start.join("")}${core.repeat(Math.ceil(size / core.length))}\u2028\u0000`;
  const before = process.cpuUsage();
  text.replace(expression, "");
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function fault(expression: RegExp): string {
  const tried = attacks(expression.source, expression.flags).map((core) => ({
    core,
    spent: cost(expression, core, SCREENING_SIZE),
  }));
  tried.sort((one, other) => other.spent - one.spent);
  for (const { core } of tried.slice(0, NUM_ATTACKS)) {
    let before = Infinity;
    for (const size of SIZES) {
      let now = cost(expression, core, size);
      if (now > NOTICED_MS) now = Math.min(now, cost(expression, core, size));
      if (now > NOTICED_MS && now > LARGEST_GROWTH * Math.max(before, 1)) {
        return `${before} ms grow to ${now} ms with ${JSON.stringify(core)}`;
      }
      before = now;
    }
  }
  return "";
}

function* literals(node: ts.Node): Generator<string> {
  if (ts.isRegularExpressionLiteral(node)) yield node.text;
  const inside: ts.Node[] = [];
  node.forEachChild((child) => void inside.push(child));
  for (const child of inside) yield* literals(child);
}

function expressions(): readonly string[] {
  const names = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => /\.tsx?$/.test(name));
  const all = sources.flatMap((name) => {
    const text = readFileSync(new URL(name.replaceAll("\\", "/"), SOURCE), "utf8");
    return [...literals(ts.createSourceFile(name, text, ts.ScriptTarget.Latest))];
  });
  return [...new Set(all)].filter((literal) => !OWN_TEXTS.has(literal));
}

function compiled(literal: string): RegExp {
  const end = literal.lastIndexOf("/");
  const flags = literal.slice(end + 1);
  return new RegExp(literal.slice(1, end), flags.includes("g") ? flags : `${flags}g`);
}

describe("regular expressions", () => {
  test.each(["/<a>([^]*?)<.a>/", "/\\s+$/", "/\\[([^\\]]*)\\]\\(/", "/\\d+x/"])(
    "the attacks detect that %s takes quadratic time",
    (literal) => expect(fault(compiled(literal))).not.toBe(""),
  );

  test("no text blocks an expression of the editor", { timeout: 300_000 }, () => {
    const all = expressions();
    expect(all.length).toBeGreaterThan(50);
    const faults = all.map((literal) => [literal, fault(compiled(literal))]);
    expect(faults.filter(([, message]) => message !== "")).toEqual([]);
  });
});
