/** Nodes, notes, groups and settings, read with the bounds of `pipelines/documents/parts.py`. */

import * as say from "./sentences/parts.gen";
import type {
  Group,
  JsonValue,
  Note,
  PipelineNode,
  Position,
  RunSettings,
  Settings,
} from "./types";
import { type Fields, isObject, ValueReader } from "./valueReader";

const MODULE = /^([A-Za-z_][A-Za-z0-9_]{0,127}|definition:[a-z0-9][a-z0-9_-]{0,63})$/;
const ENVIRONMENT =
  /^(?=.{1,200}$)[A-Za-z0-9][A-Za-z0-9._-]{0,127}(@[A-Za-z0-9][A-Za-z0-9._-]{0,127})?$/;
const LAUNCHERS = ["none", "pytorch_process", "pytorch_node", "mpi", "tensorflow"] as const;
const MAX_PIXELS = 1e7;
export const MAX_TEXT = 20_000;
export const MAX_TITLE = 200;

/** Gives every part with what was left out set to its default; `problems` says what is wrong. */
export class PartReader extends ValueReader {
  node(value: unknown, path: string): PipelineNode {
    const known = "id module version title color position parameters run_settings comment disabled";
    const at = this.fields(value, path, known);
    const title = at["title"];
    return {
      id: this.id(at["id"], `${path}.id`),
      module: this.matching(MODULE)(at["module"], `${path}.module`),
      version: this.whole(1, 1, 1_000_000)(at["version"], `${path}.version`),
      title: title == null ? null : this.text(MAX_TITLE)(title, `${path}.title`),
      ...this.given("color", at, path, (each, place) => this.id(each, place)),
      position: this.position(at["position"], `${path}.position`),
      parameters: this.parameters(at["parameters"], `${path}.parameters`),
      run_settings: this.runSettings(at["run_settings"], `${path}.run_settings`),
      comment: this.text(MAX_TEXT)(at["comment"], `${path}.comment`),
      disabled: this.flag(at["disabled"], `${path}.disabled`),
    };
  }

  runSettings(value: unknown, path: string): RunSettings {
    const known =
      "target node_count process_count_per_node regenerate_output time_limit_minutes retries " +
      "stall_limit_minutes environment launcher parameter_server_count cores_per_process variables";
    const at = this.fields(value, path, known);
    const target = at["target"];
    const processes = at["process_count_per_node"];
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
      ...this.given("stall_limit_minutes", at, path, this.number(1, Number.MIN_VALUE, 1e6)),
      ...this.given("environment", at, path, this.matching(ENVIRONMENT)),
      ...this.given("launcher", at, path, this.oneOf(LAUNCHERS)),
      ...this.given("parameter_server_count", at, path, this.whole(0, 0, 10_000)),
      ...this.given("cores_per_process", at, path, this.whole(1, 1, 10_000)),
      ...this.given("variables", at, path, this.variables),
    };
  }

  private readonly variables = (value: unknown, path: string): Readonly<Record<string, string>> => {
    if (!isObject(value)) return this.wrong(path, say.PART_OBJECT, {});
    const names = Object.keys(value);
    if (names.length > 200) this.report(path, say.PART_TOO_MANY, { bound: 200 });
    for (const name of names) {
      this.name(name, `${path}.${name}`);
      this.text(MAX_TEXT)(value[name] ?? null, `${path}.${name}`);
    }
    return value as Readonly<Record<string, string>>;
  };

  readonly note = (value: unknown, path: string): Note => {
    const at = this.fields(value, path, "id position width height text");
    return {
      id: this.id(at["id"], `${path}.id`),
      position: this.position(at["position"], `${path}.position`),
      width: this.number(240, Number.MIN_VALUE, 1e5)(at["width"], `${path}.width`),
      height: this.number(120, Number.MIN_VALUE, 1e5)(at["height"], `${path}.height`),
      text: this.text(MAX_TEXT)(at["text"], `${path}.text`),
    };
  };

  readonly group = (value: unknown, path: string): Group => {
    const at = this.fields(value, path, "id title colour nodes collapsed");
    const colour = at["colour"];
    return {
      id: this.id(at["id"], `${path}.id`),
      title: this.text(MAX_TITLE)(at["title"], `${path}.title`),
      colour: colour === undefined ? "grey" : this.id(colour, `${path}.colour`),
      nodes: this.list(5000, (each, place) => this.id(each, place))(at["nodes"], `${path}.nodes`),
      collapsed: this.flag(at["collapsed"], `${path}.collapsed`),
    };
  };

  settings(value: unknown, path: string): Settings {
    const at = this.fields(value, path, "target random_seed sweep");
    const seed = at["random_seed"];
    return {
      target: at["target"] === undefined ? "local" : this.id(at["target"], `${path}.target`),
      random_seed: seed == null ? null : this.whole(0, 0, 2 ** 32 - 1)(seed, `${path}.random_seed`),
      ...this.given("sweep", at, path, (each, place) => this.parameters(each, place)),
    };
  }

  protected position(value: unknown, path: string): Position {
    const at = this.fields(value, path, "x y");
    const pixels = this.number(0, -MAX_PIXELS, MAX_PIXELS);
    return { x: pixels(at["x"], `${path}.x`), y: pixels(at["y"], `${path}.y`) };
  }

  private parameters(value: unknown, path: string): { readonly [name: string]: JsonValue } {
    if (value === undefined) return {};
    if (!isObject(value)) return this.wrong(path, say.PART_OBJECT, {});
    const names = Object.keys(value);
    if (names.length > 1000) this.report(path, say.PART_TOO_MANY, { bound: 1000 });
    for (const name of names) this.name(name, `${path}.${name}`);
    this.json(value, path);
    return value as { readonly [name: string]: JsonValue };
  }

  /** A part that is only written where it is set: neither null, 0 nor empty. */
  private given<Key extends string, Value>(
    key: Key,
    at: Fields,
    path: string,
    read: (value: unknown, path: string) => Value,
  ): { readonly [key in Key]?: Value } {
    const value = at[key];
    if (value == null) return {};
    return whenSet(key, read(value, `${path}.${key}`));
  }
}

export function whenSet<Key extends string, Value>(
  key: Key,
  value: Value,
): { readonly [key in Key]?: Value } {
  const isEmpty = typeof value === "object" && value !== null && !Object.keys(value).length;
  if (isEmpty || !value) return {};
  return { [key]: value } as { readonly [key in Key]?: Value };
}
