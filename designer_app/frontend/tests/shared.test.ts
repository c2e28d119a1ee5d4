/** Shared cases: the connection rule and some edits also exist in Python. */

import { describe, expect, test } from "vitest";

import * as edits from "../src/graph/edits";
import { EditRefused } from "../src/graph/problems";
import { mayLink, refusalOf } from "../src/graph/connections";
import {
  type Fact,
  type Statement,
  cureOf,
  messageOf,
  reasonOf,
} from "../src/graph/sentences/sentence";
import * as copies from "../src/graph/copies";
import * as insertions from "../src/graph/insertions";
import { removeNodes } from "../src/graph/removal";
import * as subPipelines from "../src/graph/subPipelines";
import type { Endpoint, JsonValue, PipelineDocument, RunSettings } from "../src/graph/types";
import { CATALOG, load } from "./cases";
import { documentOf } from "./documents";

interface RuleCase {
  readonly name: string;
  readonly document: unknown;
  readonly from: Endpoint;
  readonly to: Endpoint;
  readonly allowed: boolean;
  readonly reason: string;
  readonly statement: unknown;
  readonly bridge: string | null;
  readonly replaces: unknown;
}

/** Parts of a problem that both languages have: text, and the facts it is made of. */
interface ReportedProblem {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
  readonly reason: string;
  readonly facts: unknown;
}

interface EditCase {
  readonly name: string;
  readonly document: unknown;
  readonly edit: { readonly do: string } & Readonly<Record<string, never>>;
  readonly expect?: unknown;
  readonly problems?: readonly ReportedProblem[];
}

describe("rules", () => {
  test.each(load<RuleCase[]>("rules.json"))("$name", (entry) => {
    const document = documentOf(entry.document);
    const verdict = mayLink(document, CATALOG, entry.from, entry.to);
    const { allowed, bridge, replaces, statement } = verdict;
    const expected = { allowed: entry.allowed, bridge: entry.bridge, replaces: entry.replaces };
    expect({ allowed, bridge, replaces }).toEqual(expected);
    expect(statement && reasonOf(statement)).toEqual(entry.statement);
    expect(refusalOf(verdict)).toBe(entry.reason);
  });
});

type Arguments = Readonly<Record<string, never>>;

const EDITS: Readonly<
  Record<string, (document: PipelineDocument, arguments_: Arguments) => PipelineDocument>
> = {
  add_node: (d, { module, x, y }) => edits.addNode(d, CATALOG, module ?? "", x, y),
  remove_nodes: (d, { nodes }) => removeNodes(d, nodes ?? []),
  connect: (d, { from, to }) => edits.connect(d, CATALOG, end(from), end(to)),
  disconnect: (d, { to }) => edits.disconnect(d, end(to)),
  set_parameter: (d, { node, parameter, value }) =>
    edits.setParameter(d, CATALOG, text(node), text(parameter), value as unknown as JsonValue),
  reset_parameter: (d, { node, parameter }) => edits.resetParameter(d, text(node), text(parameter)),
  rename_node: (d, { node, title }) => edits.renameNode(d, text(node), title ?? null),
  set_comment: (d, { node, comment }) => edits.setComment(d, text(node), text(comment)),
  move_nodes: (d, { places }) => edits.moveNodes(d, placesOf(places)),
  set_run_settings: (d, { node, settings }) =>
    edits.setRunSettings(d, text(node), settings as unknown as Partial<RunSettings>),
  set_disabled: (d, { nodes, disabled }) =>
    edits.setDisabled(d, nodes ?? [], disabled as unknown as boolean),
  upgrade_node: (d, { node }) => edits.upgradeNode(d, CATALOG, text(node)),
  remove_and_heal: (d, { node }) => insertions.removeAndHeal(d, CATALOG, text(node)),
  replace_module: (d, { node, module, parameters }) =>
    edits.replaceModule(d, CATALOG, text(node), text(module), parameters ?? {}),
  insert_on_link: (d, { module, to }) => insertions.insertOnLink(d, CATALOG, text(module), end(to)),
  insert_bridge: (d, { from, to }) => insertions.insertBridge(d, CATALOG, end(from), end(to)),
  duplicate: (d, { nodes }) => copies.duplicate(d, nodes ?? []),
  make_sub_pipeline: (d, { nodes }) => subPipelines.makeSubPipeline(d, CATALOG, nodes ?? []),
  unpack: (d, { node }) => subPipelines.unpack(d, CATALOG, text(node)),
  paste: (d, { copied }) => copies.paste(d, documentOf(copied)),
};

describe("edits", () => {
  const cases = load<EditCase[]>("edits.json");

  test.each(cases)("$name", (entry) => {
    const before = documentOf(entry.document);
    const { do: name, ...values } = entry.edit;
    const edit = (): PipelineDocument => {
      const perform = EDITS[name];
      if (!perform) throw new Error(`no edit ${name}`);
      return perform(before, values);
    };
    if (entry.problems) {
      expect(refused(edit)).toEqual(entry.problems);
    } else {
      expect(edit()).toEqual(documentOf(entry.expect));
    }
    expect(before).toEqual(documentOf(entry.document));
  });

  test("every edit has a case", () => {
    expect(new Set(cases.map((entry) => entry.edit.do))).toEqual(new Set(Object.keys(EDITS)));
  });
});

interface SentenceCase {
  readonly name: string;
  readonly key?: string;
  readonly message: string;
  readonly cure: string;
  readonly facts: Readonly<Record<string, Exclude<Fact, Statement> | SentenceCase>>;
  readonly text: string;
  readonly told: unknown;
}

describe("sentences", () => {
  const isCase = (fact: Fact | SentenceCase): fact is SentenceCase =>
    typeof fact === "object" && "message" in fact;
  const statementOf = (entry: SentenceCase): Statement => {
    const facts = Object.entries(entry.facts).map(([name, fact]) => {
      return [name, isCase(fact) ? statementOf(fact) : fact] as const;
    });
    const sentence = [entry.key ?? "case", entry.message, entry.cure] as const;
    return { sentence, facts: Object.fromEntries(facts) };
  };

  test.each(load<SentenceCase[]>("sentences.json"))("$name", (entry) => {
    const statement = statementOf(entry);
    expect(`${messageOf(statement)} ${cureOf(statement)}`.trimEnd()).toBe(entry.text);
    expect(reasonOf(statement).facts).toEqual(entry.told);
  });
});

/** Problems of a refused edit. */
function refused(work: () => unknown): readonly ReportedProblem[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    return error.problems.map(({ code, message, cure, reason, facts }) => ({
      code,
      message,
      cure,
      reason,
      facts,
    }));
  }
  throw new Error("It was not refused.");
}

function end(value: unknown): Endpoint {
  return value as Endpoint;
}

function text(value: unknown): string {
  return value as string;
}

function placesOf(value: unknown): ReadonlyMap<string, { x: number; y: number }> {
  const places = Object.entries(value as Record<string, [number, number]>);
  return new Map(places.map(([id, [x, y]]) => [id, { x, y }]));
}
