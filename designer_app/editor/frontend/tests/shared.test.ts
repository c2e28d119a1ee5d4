/** The rules of linking and the edits answer as their Python counterparts do. */

import { describe, expect, test } from "vitest";

import * as edits from "../src/graph/edits";
import { parseDocument } from "../src/graph/parse";
import { EditRefused } from "../src/graph/problems";
import { mayLink } from "../src/graph/connections";
import * as copies from "../src/graph/copies";
import * as insertions from "../src/graph/insertions";
import type { Endpoint, JsonValue, PipelineDocument, RunSettings } from "../src/graph/types";
import { CATALOG, load } from "./cases";

interface RuleCase {
  readonly name: string;
  readonly document: unknown;
  readonly from: Endpoint;
  readonly to: Endpoint;
  readonly allowed: boolean;
  readonly reason: string;
  readonly bridge: string | null;
  readonly replaces: unknown;
}

interface EditCase {
  readonly name: string;
  readonly document: unknown;
  readonly edit: { readonly do: string } & Readonly<Record<string, never>>;
  readonly expect?: unknown;
  readonly problems?: readonly string[];
}

describe("rules", () => {
  test.each(load<RuleCase[]>("rules.json"))("$name", (each) => {
    const document = parseDocument(each.document);
    const { allowed, reason, bridge, replaces } = mayLink(document, CATALOG, each.from, each.to);
    const expected = { allowed: each.allowed, bridge: each.bridge, replaces: each.replaces };
    expect({ allowed, bridge, replaces }).toEqual(expected);
    expect(allowed ? "" : reason).toBe(each.reason);
  });
});

type Given = Readonly<Record<string, never>>;

const EDITS: Readonly<
  Record<string, (document: PipelineDocument, given: Given) => PipelineDocument>
> = {
  add_node: (d, { module, x, y }) => edits.addNode(d, CATALOG, module ?? "", x, y),
  remove_nodes: (d, { nodes }) => edits.removeNodes(d, nodes ?? []),
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
  insert_on_link: (d, { module, to }) => insertions.insertOnLink(d, CATALOG, text(module), end(to)),
  insert_bridge: (d, { from, to }) => insertions.insertBridge(d, CATALOG, end(from), end(to)),
  duplicate: (d, { nodes }) => copies.duplicate(d, nodes ?? []),
  paste: (d, { copied }) => copies.paste(d, parseDocument(copied)),
};

describe("edits", () => {
  const cases = load<EditCase[]>("edits.json");

  test.each(cases)("$name", (each) => {
    const before = parseDocument(each.document);
    const { do: name, ...given } = each.edit;
    const edit = (): PipelineDocument => {
      const found = EDITS[name];
      if (!found) throw new Error(`no edit ${name}`);
      return found(before, given);
    };
    if (each.problems) {
      const problems = each.problems;
      expect(edit).toThrow(EditRefused);
      try {
        edit();
      } catch (error) {
        expect((error as EditRefused).problems.map((problem) => problem.code)).toEqual(problems);
      }
    } else {
      expect(edit()).toEqual(parseDocument(each.expect));
    }
    expect(before).toEqual(parseDocument(each.document));
  });

  test("every edit has a case", () => {
    expect(new Set(cases.map((each) => each.edit.do))).toEqual(new Set(Object.keys(EDITS)));
  });
});

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
