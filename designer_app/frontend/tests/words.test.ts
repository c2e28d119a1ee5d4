/** One word for each thing in the texts of the editor: see tests/cases/glossary.json. */

import { readFileSync, readdirSync } from "node:fs";

import ts from "typescript";
import { describe, expect, test } from "vitest";

import { headlineOf, linesOf } from "../src/graph/problems";
import { load } from "./cases";

interface Entry {
  readonly word: string;
  readonly means: string;
  readonly never: string;
  readonly unless: readonly string[];
}

const SOURCE = new URL("../src/", import.meta.url);
const NOT_SHOWN = /^(className|data-|key$|href$|type$|id$|name$)/;

const ENDPOINT = /^(GET|POST|PUT|PATCH|DELETE) \//;

function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node))
    return node.text;
  return "";
}

/** Texts between quotes and tags, without imports and invisible attributes. */
function* texts(node: ts.Node): Generator<string> {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
  if (ts.isJsxAttribute(node) && NOT_SHOWN.test(node.name.getText())) return;
  const words = textOf(node).replace(/\s+/g, " ").trim();
  if (/^[A-Z]|\S\s\S/.test(words) && !ENDPOINT.test(words)) yield words;
  for (const child of node.getChildren()) yield* texts(child);
}

function textsOf(file: string): string[] {
  const written = readFileSync(new URL(file, SOURCE), "utf8");
  return [...texts(ts.createSourceFile(file, written, ts.ScriptTarget.Latest, true))];
}

const FILES = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !file.endsWith("types.gen.ts"),
);
const TEXTS = FILES.flatMap((file) => textsOf(file).map((words) => `${file}  ${words}`));

describe("texts of the editor follow the glossary", () => {
  test.each(load<readonly Entry[]>("glossary.json"))("$word: $means", ({ never, unless }) => {
    const isAgainst = (text: string) =>
      new RegExp(never).test(text) && !unless.some((excuse) => new RegExp(excuse).test(text));
    expect(TEXTS.filter((text) => isAgainst(text.split("  ").slice(1).join("  ")))).toEqual([]);
  });

  test("texts are found between quotes, in templates and between tags", () => {
    expect(TEXTS).toContain("panels/topbar/RunControls.tsx  Run");
    expect(TEXTS).toContain(
      "panels/search/commandDescriptions.ts  Estimate images, classes and time of every node without running it.",
    );
    expect(TEXTS.length).toBeGreaterThan(1000);
  });
});

describe("the message of a problem", () => {
  const message = "Rank 0 failed:\nTraceback\nValueError: no";

  test("is one line and the lines of a log", () => {
    expect(headlineOf(message)).toBe("Rank 0 failed.");
    expect(linesOf(message)).toBe("Traceback\nValueError: no");
  });

  test("may be a single line", () => {
    expect(headlineOf("There is no image.")).toBe("There is no image.");
    expect(linesOf("There is no image.")).toBe("");
  });
});
