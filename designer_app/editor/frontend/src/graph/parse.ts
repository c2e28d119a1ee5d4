/** A document from JSON of unknown origin: every part is there and within its bounds, or it is refused.
 *
 * The same bounds as `pipelines/documents/document.py`. Older formats are migrated by the server only. */

import {
  DUPLICATE_ID,
  EditRefused,
  INVALID_DOCUMENT,
  NOT_A_PIPELINE,
  problemOf,
  refuse,
} from "./problems";
import type {
  Endpoint,
  Group,
  JsonValue,
  Link,
  Note,
  PipelineDocument,
  PipelineNode,
  Position,
  Problem,
  RunSettings,
  Settings,
} from "./types";

const FORMAT = "pipeline-designer/1";
const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const MAX_PIXELS = 1e7;
const MAX_TEXT = 20_000;
const MAX_TITLE = 200;
const MAX_DEPTH = 64;
const MAX_PROBLEMS = 100;

type Fields = Readonly<Record<string, unknown>>;
type Read<Value> = (value: unknown, path: string) => Value;

/** The document in JSON text; throws `EditRefused` with every problem. */
export function parseText(text: string): PipelineDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse(
      NOT_A_PIPELINE,
      "This is not a pipeline document: it cannot be read as JSON.",
      "Open a file that Pipeline Designer saved.",
    );
  }
  return parseDocument(value);
}

/** The document in parsed JSON, with what was left out set to its default. */
export function parseDocument(value: unknown): PipelineDocument {
  const format = isObject(value) ? value["format"] : undefined;
  if (format !== FORMAT) {
    const cure = "Open it with New > Import: the server knows older formats.";
    refuse(NOT_A_PIPELINE, `This is not a document of format ${FORMAT}.`, cure);
  }
  const reader = new Reader();
  const document = reader.document(value);
  const problems = reader.problems.length ? reader.problems : duplicates(document);
  if (problems.length) throw new EditRefused(problems.slice(0, MAX_PROBLEMS));
  return document;
}

/** Canonical text, as Python writes it but for the form of some numbers. */
export function dumpText(document: PipelineDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

class Reader {
  readonly problems: Problem[] = [];

  document(value: unknown): PipelineDocument {
    const known = "format id name description nodes links notes groups settings";
    const at = this.fields(value, "", known);
    return {
      format: FORMAT,
      id: this.id(at["id"], "id"),
      name: this.text(MAX_TITLE)(at["name"], "name"),
      description: this.text(MAX_TEXT)(at["description"], "description"),
      nodes: this.list(5000, (each, path) => this.node(each, path))(at["nodes"], "nodes"),
      links: this.list(20_000, (each, path) => this.link(each, path))(at["links"], "links"),
      notes: this.list(2000, (each, path) => this.note(each, path))(at["notes"], "notes"),
      groups: this.list(1000, (each, path) => this.group(each, path))(at["groups"], "groups"),
      settings: this.settings(at["settings"], "settings"),
    };
  }

  node(value: unknown, path: string): PipelineNode {
    const known = "id module version title position parameters run_settings comment disabled";
    const at = this.fields(value, path, known);
    const title = at["title"];
    return {
      id: this.id(at["id"], `${path}.id`),
      module: this.name(at["module"], `${path}.module`),
      version: this.whole(1, 1, 1_000_000)(at["version"], `${path}.version`),
      title: title == null ? null : this.text(MAX_TITLE)(title, `${path}.title`),
      position: this.position(at["position"], `${path}.position`),
      parameters: this.parameters(at["parameters"], `${path}.parameters`),
      run_settings: this.runSettings(at["run_settings"], `${path}.run_settings`),
      comment: this.text(MAX_TEXT)(at["comment"], `${path}.comment`),
      disabled: this.flag(at["disabled"], `${path}.disabled`),
    };
  }

  runSettings(value: unknown, path: string): RunSettings {
    const known =
      "target node_count process_count_per_node regenerate_output time_limit_minutes retries stall_limit_minutes";
    const at = this.fields(value, path, known);
    const target = at["target"];
    const processes = at["process_count_per_node"];
    const stall = at["stall_limit_minutes"];
    const limit = this.number(1, Number.MIN_VALUE, 1e6);
    return {
      target: target == null ? null : this.id(target, `${path}.target`),
      node_count: this.whole(1, 1, 10_000)(at["node_count"], `${path}.node_count`),
      process_count_per_node: this.whole(1, 1, 10_000)(processes, `${path}.process_count_per_node`),
      regenerate_output: this.flag(at["regenerate_output"], `${path}.regenerate_output`),
      time_limit_minutes: this.number(
        0,
        0,
        1e6,
      )(at["time_limit_minutes"], `${path}.time_limit_minutes`),
      retries: this.whole(0, 0, 10)(at["retries"], `${path}.retries`),
      ...(stall != null && { stall_limit_minutes: limit(stall, `${path}.stall_limit_minutes`) }),
    };
  }

  private link(value: unknown, path: string): Link {
    const at = this.fields(value, path, "from to");
    return {
      from: this.endpoint(at["from"], `${path}.from`),
      to: this.endpoint(at["to"], `${path}.to`),
    };
  }

  private endpoint(value: unknown, path: string): Endpoint {
    const at = this.fields(value, path, "node port");
    return {
      node: this.id(at["node"], `${path}.node`),
      port: this.name(at["port"], `${path}.port`),
    };
  }

  note(value: unknown, path: string): Note {
    const at = this.fields(value, path, "id position width height text");
    return {
      id: this.id(at["id"], `${path}.id`),
      position: this.position(at["position"], `${path}.position`),
      width: this.number(240, Number.MIN_VALUE, 1e5)(at["width"], `${path}.width`),
      height: this.number(120, Number.MIN_VALUE, 1e5)(at["height"], `${path}.height`),
      text: this.text(MAX_TEXT)(at["text"], `${path}.text`),
    };
  }

  group(value: unknown, path: string): Group {
    const at = this.fields(value, path, "id title colour nodes collapsed");
    const colour = at["colour"];
    return {
      id: this.id(at["id"], `${path}.id`),
      title: this.text(MAX_TITLE)(at["title"], `${path}.title`),
      colour: colour === undefined ? "grey" : this.id(colour, `${path}.colour`),
      nodes: this.list(5000, (each, place) => this.id(each, place))(at["nodes"], `${path}.nodes`),
      collapsed: this.flag(at["collapsed"], `${path}.collapsed`),
    };
  }

  settings(value: unknown, path: string): Settings {
    const at = this.fields(value, path, "target random_seed");
    const seed = at["random_seed"];
    return {
      target: at["target"] === undefined ? "local" : this.id(at["target"], `${path}.target`),
      random_seed: seed == null ? null : this.whole(0, 0, 2 ** 32 - 1)(seed, `${path}.random_seed`),
    };
  }

  private position(value: unknown, path: string): Position {
    const at = this.fields(value, path, "x y");
    const pixels = this.number(0, -MAX_PIXELS, MAX_PIXELS);
    return { x: pixels(at["x"], `${path}.x`), y: pixels(at["y"], `${path}.y`) };
  }

  private parameters(value: unknown, path: string): { readonly [name: string]: JsonValue } {
    if (value === undefined) return {};
    if (!isObject(value)) return this.report(path, "is no object", {});
    const names = Object.keys(value);
    if (names.length > 1000) this.report(path, "holds more than 1,000 parameters", null);
    for (const name of names) this.name(name, `${path}.${name}`);
    this.json(value, path, 0);
    return value as { readonly [name: string]: JsonValue };
  }

  private json(value: unknown, path: string, depth: number): void {
    if (depth > MAX_DEPTH)
      return this.report(path, `is nested deeper than ${MAX_DEPTH} levels`, undefined);
    if (typeof value === "number" && !Number.isFinite(value))
      this.report(path, "is not finite", null);
    if (
      Number.isInteger(value) &&
      !Number.isSafeInteger(value) &&
      Math.abs(value as number) < 1e21
    ) {
      // beyond 2^53 a browser rounds; floats that large are written with an exponent
      this.report(path, "is a whole number beyond 2^53", null);
    }
    if (value === null || typeof value !== "object") return undefined;
    for (const [key, each] of Object.entries(value)) this.json(each, `${path}.${key}`, depth + 1);
    return undefined;
  }

  private list<Value>(most: number, read: Read<Value>): Read<readonly Value[]> {
    return (value, path) => {
      if (value === undefined) return [];
      if (!Array.isArray(value)) return this.report(path, "is no list", []);
      if (value.length > most) return this.report(path, `holds more than ${most} parts`, []);
      return value.map((each, place) => read(each, `${path}[${place}]`));
    };
  }

  private text(most: number): Read<string> {
    return (value, path) => {
      if (value === undefined) return "";
      if (typeof value !== "string") return this.report(path, "is no text", "");
      // Python counts characters, JavaScript UTF-16 units
      if (value.length > most && [...value].length > most) {
        return this.report(path, `has more than ${most} characters`, "");
      }
      return value;
    };
  }

  private number(initial: number, least: number, most: number): Read<number> {
    return (value, path) => {
      if (value === undefined) return initial;
      if (typeof value !== "number" || !(value >= least && value <= most)) {
        return this.report(path, `is no number from ${least} to ${most}`, initial);
      }
      return value === 0 ? 0 : value;
    };
  }

  private whole(initial: number, least: number, most: number): Read<number> {
    return (value, path) => {
      if (value === undefined || Number.isInteger(value)) {
        return this.number(initial, least, most)(value, path);
      }
      return this.report(path, "is no whole number", initial);
    };
  }

  private flag(value: unknown, path: string): boolean {
    if (value === undefined || typeof value === "boolean") return value ?? false;
    return this.report(path, "is neither true nor false", false);
  }

  private id(value: unknown, path: string): string {
    if (typeof value === "string" && ID.test(value)) return value;
    return this.report(path, "is no id: small letters, digits, _ and -", "");
  }

  private name(value: unknown, path: string): string {
    if (typeof value === "string" && NAME.test(value)) return value;
    return this.report(path, "is no name: letters, digits and _", "");
  }

  private fields(value: unknown, path: string, known: string): Fields {
    if (value === undefined) return {};
    if (!isObject(value)) return this.report(path, "is no object", {});
    const names = known.split(" ");
    for (const key of Object.keys(value)) {
      if (!names.includes(key)) this.report(`${path}.${key.slice(0, 100)}`, "is unknown", null);
    }
    return value;
  }

  private report<Value>(path: string, what: string, instead: Value): Value {
    const place = path.replace(/^\./, "") || "The document";
    const problem = problemOf(
      INVALID_DOCUMENT,
      `${place} ${what}.`,
      "Correct or remove the value.",
    );
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
    return instead;
  }
}

/** One node with its bounds checked; throws `EditRefused`. */
export function checkedNode(node: PipelineNode): PipelineNode {
  return checked((reader) => reader.node(node, "node"));
}

export function checkedNote(note: Note): Note {
  return checked((reader) => reader.note(note, "note"));
}

export function checkedGroup(group: Group): Group {
  return checked((reader) => reader.group(group, "group"));
}

export function checkedSettings(settings: Settings): Settings {
  return checked((reader) => reader.settings(settings, "settings"));
}

function checked<Part>(read: (reader: Reader) => Part): Part {
  const reader = new Reader();
  const part = read(reader);
  if (reader.problems.length) throw new EditRefused(reader.problems);
  return part;
}

function duplicates(document: PipelineDocument): Problem[] {
  const parts: readonly [string, readonly { readonly id: string }[]][] = [
    ["node", document.nodes],
    ["note", document.notes],
    ["group", document.groups],
  ];
  return parts.flatMap(([word, items]) => {
    const seen = new Set<string>();
    const twice = items.filter((each) => seen.has(each.id) || !seen.add(each.id));
    return [...new Set(twice.map((each) => each.id))].map((id) =>
      problemOf(
        DUPLICATE_ID,
        `Several ${word}s have the id '${id}'.`,
        `Give each ${word} an id of its own.`,
        word === "node" ? { node: id } : {},
      ),
    );
  });
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
