/** Documents of tests and shared cases in a short notation: omitted parts have their default. */

import { expect } from "vitest";

import { DEFAULT_RUN_SETTINGS } from "../src/graph/edits";
import type { Definition, PipelineDocument } from "../src/graph/types";

type Fields = Readonly<Record<string, unknown>>;

const NODE = { version: 1, title: null, parameters: {}, comment: "", disabled: false };
const NOTE = { width: 240, height: 120, text: "" };
const GROUP = { title: "", colour: "grey", nodes: [], collapsed: false };
const PARAMETER = { title: "", type: "string", default: null, description: "", binds: [] };
const SETTINGS = { target: "local", random_seed: null };

/** The document with every omitted part. */
export function documentOf(value: unknown): PipelineDocument {
  const { parameters, definitions, settings, ...rest } = value as Fields;
  return {
    name: "",
    description: "",
    ...wholeOf(rest),
    format: "pipeline-designer/2",
    notes: list(rest["notes"], noteOf),
    groups: list(rest["groups"], (group) => ({ ...GROUP, ...group })),
    ...filled("parameters", list(parameters, parameterOf)),
    ...filled("definitions", list(definitions, definitionOf)),
    settings: { ...SETTINGS, ...(settings as Fields) },
  } as unknown as PipelineDocument;
}

/** Fail unless an edited document is complete, as it is stored, and its ids are unique. */
export function expectWhole(document: PipelineDocument): void {
  expect(documentOf(JSON.parse(JSON.stringify(document)))).toEqual(document);
  for (const whole of [document, ...(document.definitions ?? [])]) {
    const { nodes, notes = [], groups = [], parameters = [] } = whole;
    for (const parts of [nodes, notes, groups, parameters]) {
      const ids = parts.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)]);
      for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]*$/);
    }
  }
}

function wholeOf(value: Fields): Fields {
  return {
    ...value,
    nodes: list(value["nodes"], nodeOf),
    links: list(value["links"], ({ waypoints, ...link }) => ({
      ...link,
      ...filled(
        "waypoints",
        list(waypoints, (place) => place),
      ),
    })),
  };
}

function nodeOf({ position, run_settings: settings, color, collapsed, ...node }: Fields): Fields {
  return {
    ...NODE,
    ...node,
    ...(color == null ? {} : { color }),
    ...(collapsed ? { collapsed } : {}),
    position: positionOf(position),
    run_settings: { ...DEFAULT_RUN_SETTINGS, ...(settings as Fields) },
  };
}

function noteOf({ position, ...note }: Fields): Fields {
  return { ...NOTE, ...note, position: positionOf(position) };
}

function parameterOf(parameter: Fields): Fields {
  return { ...PARAMETER, ...parameter };
}

function definitionOf({ notes, groups, ...definition }: Fields): Fields {
  const { title = "", description = "", inputs, outputs, parameters } = definition;
  const port = (fields: Fields): Fields => ({ title: "", ...fields });
  return {
    ...wholeOf(definition),
    title,
    description,
    ...filled("notes", list(notes, noteOf)),
    ...filled(
      "groups",
      list(groups, (group) => ({ ...GROUP, ...group })),
    ),
    parameters: list(parameters, parameterOf),
    inputs: list(inputs, port),
    outputs: list(outputs, port),
  } satisfies Partial<Record<keyof Definition, unknown>>;
}

function positionOf(value: unknown): Fields {
  return { x: 0, y: 0, ...(value as Fields) };
}

function list<Part>(value: unknown, read: (part: Fields) => Part): readonly Part[] {
  return ((value ?? []) as readonly Fields[]).map(read);
}

function filled(name: string, parts: readonly unknown[]): Fields {
  return parts.length > 0 ? { [name]: parts } : {};
}
