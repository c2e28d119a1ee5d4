/** A whole document, read with the bounds of `pipelines/documents/document.py`. */

import { MAX_TEXT, MAX_TITLE, PartReader, whenSet } from "./partReader";
import { PART_MISSING, PART_NO_BIND } from "./sentences/parts.gen";
import type {
  Definition,
  DefinitionPort,
  Endpoint,
  JsonValue,
  Link,
  PipelineDocument,
  PipelineParameter,
  Position,
} from "./types";
import type { Fields } from "./valueReader";

export const FORMAT = "pipeline-designer/2";
const BIND =
  /^[a-z0-9][a-z0-9_-]{0,63}(\/[a-z0-9][a-z0-9_-]{0,63}){0,16}\.[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const PARAMETER_TYPES = ["integer", "number", "boolean", "string", "array", "object"] as const;

/** Gives every part with what was left out set to its default; `problems` says what is wrong. */
export class DocumentReader extends PartReader {
  document(value: unknown): PipelineDocument {
    const known =
      "format id name description nodes links notes groups parameters definitions settings";
    const at = this.fields(value, "", known);
    return {
      format: FORMAT,
      id: this.id(at["id"], "id"),
      name: this.text(MAX_TITLE)(at["name"], "name"),
      description: this.text(MAX_TEXT)(at["description"], "description"),
      ...this.wires(at, ""),
      notes: this.list(2000, this.note)(at["notes"], "notes"),
      groups: this.list(1000, this.group)(at["groups"], "groups"),
      ...whenSet("parameters", this.list(1000, this.parameter)(at["parameters"], "parameters")),
      ...whenSet("definitions", this.list(500, this.definition)(at["definitions"], "definitions")),
      settings: this.settings(at["settings"], "settings"),
    };
  }

  /** Sub-pipelines hold the same as pipelines, and ports. */
  readonly definition = (value: unknown, path: string): Definition => {
    const known = "id title description nodes links notes groups parameters inputs outputs";
    const at = this.fields(value, path, known);
    return {
      id: this.id(at["id"], `${path}.id`),
      title: this.text(MAX_TITLE)(at["title"], `${path}.title`),
      description: this.text(MAX_TEXT)(at["description"], `${path}.description`),
      ...this.wires(at, `${path}.`),
      ...whenSet("notes", this.list(2000, this.note)(at["notes"], `${path}.notes`)),
      ...whenSet("groups", this.list(1000, this.group)(at["groups"], `${path}.groups`)),
      parameters: this.list(1000, this.parameter)(at["parameters"], `${path}.parameters`),
      inputs: this.list(1000, this.definitionPort)(at["inputs"], `${path}.inputs`),
      outputs: this.list(1000, this.definitionPort)(at["outputs"], `${path}.outputs`),
    };
  };

  private wires(at: Fields, path: string): Pick<Definition, "nodes" | "links"> {
    return {
      nodes: this.list(5000, (each, place) => this.node(each, place))(at["nodes"], `${path}nodes`),
      links: this.list(20_000, this.link)(at["links"], `${path}links`),
    };
  }

  private readonly link = (value: unknown, path: string): Link => {
    const at = this.fields(value, path, "from to waypoints");
    const position = (each: unknown, place: string): Position => this.position(each, place);
    return {
      from: this.endpoint(at["from"], `${path}.from`),
      to: this.endpoint(at["to"], `${path}.to`),
      ...whenSet("waypoints", this.list(100, position)(at["waypoints"], `${path}.waypoints`)),
    };
  };

  private endpoint(value: unknown, path: string): Endpoint {
    if (value === undefined) return this.wrong(path, PART_MISSING, { node: "", port: "" });
    const at = this.fields(value, path, "node port");
    return {
      node: this.id(at["node"], `${path}.node`),
      port: this.name(at["port"], `${path}.port`),
    };
  }

  private readonly parameter = (value: unknown, path: string): PipelineParameter => {
    const at = this.fields(value, path, "id title type default description binds");
    const initial = (at["default"] ?? null) as JsonValue;
    this.json(initial, `${path}.default`);
    return {
      id: this.name(at["id"], `${path}.id`),
      title: this.text(MAX_TITLE)(at["title"], `${path}.title`),
      type: this.oneOf(PARAMETER_TYPES)(at["type"] ?? "string", `${path}.type`),
      default: initial,
      description: this.text(MAX_TEXT)(at["description"], `${path}.description`),
      binds: this.list(1000, this.matching(BIND, PART_NO_BIND))(at["binds"], `${path}.binds`),
    };
  };

  private readonly definitionPort = (value: unknown, path: string): DefinitionPort => {
    const at = this.fields(value, path, "id title node port");
    return {
      id: this.name(at["id"], `${path}.id`),
      title: this.text(MAX_TITLE)(at["title"], `${path}.title`),
      node: this.id(at["node"], `${path}.node`),
      port: this.name(at["port"], `${path}.port`),
    };
  };
}
