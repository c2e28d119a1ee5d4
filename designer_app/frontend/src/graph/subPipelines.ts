/** Creating a sub-pipeline from a selection, and unpacking it. */

import type { Catalog } from "./catalog";
import { freshId, newNode, nodeOf } from "./edits";
import { halves } from "./binds";
import { PREFIX, definitionOf } from "./definitions";
import { isOuter } from "./outerBinds";
import { localName, placeAround } from "./paths";
import { reaches } from "./traversal";
import { PIPELINE_HAS_CYCLE, UNBOUND_PARAMETER, UNKNOWN_DEFINITION, refuse } from "./problems";
import { about } from "./sentences/sentence";
import { namedParameters } from "./namedParameters";
import { titleAmong } from "./titles";
import { putInPlace, regrouped } from "./unpacking";
import { moved } from "./unpackedNotes";
import * as say from "./sentences/subPipelines.gen";
import type {
  Definition,
  DefinitionPort,
  Endpoint,
  Group,
  JsonValue,
  Link,
  PipelineDocument,
  PipelineNode,
  PipelineParameter,
  Position,
} from "./types";
import { t } from "./translate";

const NEW_ID = "sub_pipeline";
const NEW_TITLE = t("Sub-pipeline");

/** Replace some nodes by one node: its ports are the connected outside ends and the free ports. */
export function makeSubPipeline(
  document: PipelineDocument,
  catalog: Catalog,
  ids: readonly string[],
): PipelineDocument {
  const inside = new Set(ids.map((id) => nodeOf(document, id).id));
  if (!inside.size) refuse(UNKNOWN_DEFINITION, about(say.NOTHING_CHOSEN, {}));
  refuseCircle(document, catalog, inside);
  return new Maker(document, catalog, inside).document();
}

/** Replace a node by the contents of its sub-pipeline; an unused definition is removed. */
export function unpack(document: PipelineDocument, catalog: Catalog, id: string): PipelineDocument {
  const present = nodeOf(document, id);
  const { module, title } = present;
  const definition = definitionOf(document, module);
  if (!definition) {
    const node = titleAmong(document.nodes, present, catalog);
    return refuse(UNKNOWN_DEFINITION, about(say.NO_SUB_PIPELINE, { node }), { node: id });
  }
  const named = namedParameters(document, definition.nodes);
  const own = definition.parameters.find((parameter) => named.has(parameter.id));
  if (own) {
    // a value of the pipeline would replace it, or none
    const [node, name] = [title || definition.title, own.title || own.id];
    const facts = { node, name, place: `{{parameters.${own.id}}}` };
    refuse(UNBOUND_PARAMETER, about(say.NAMED_INSIDE, facts), { node: id });
  }
  return putInPlace(document, present, definition);
}

/** Builder of one sub-pipeline; ports and parameters are named in order of appearance. */
class Maker {
  private readonly inputs = new Map<string, DefinitionPort>();
  private readonly outputs = new Map<string, DefinitionPort>();
  private readonly parameters = new Map<string, PipelineParameter>();
  /** Names that inner scripts read from outside; parameters of the new node must not use them. */
  private readonly named: ReadonlySet<string>;
  private readonly id: string;
  private readonly nodeId: string;

  constructor(
    private readonly old: PipelineDocument,
    private readonly catalog: Catalog,
    private readonly inside: ReadonlySet<string>,
  ) {
    this.id = freshId(old.definitions ?? [], NEW_ID);
    this.nodeId = freshId(
      old.nodes.filter((node) => !inside.has(node.id)),
      this.id,
    );
    const chosen = old.nodes.filter((node) => inside.has(node.id));
    this.named = namedParameters(old, chosen);
  }

  document(): PipelineDocument {
    const { old } = this;
    const chosen = old.nodes.filter((node) => this.inside.has(node.id));
    const corner = {
      x: Math.min(...chosen.map((node) => node.position.x)),
      y: Math.min(...chosen.map((node) => node.position.y)),
    };
    const links = this.outerLinks();
    this.freePorts(chosen);
    this.boundParameters();
    for (const node of chosen) {
      for (const [name, value] of Object.entries(node.parameters)) {
        this.parameter(`${node.id}.${name}`, value);
      }
    }
    const gone = new Map([...this.inside].map((id) => [id, [] as string[]]));
    const { definitions = [] } = old;
    return {
      ...old,
      nodes: [...old.nodes.filter((node) => !this.inside.has(node.id)), this.node(corner)],
      links,
      groups: old.groups
        .filter((group) => !this.holds(group))
        .map((group) => regrouped(group, gone)),
      ...withParameters(old, (parameter) => this.outerParameter(parameter)),
      definitions: [...definitions, this.definition(chosen, corner)],
    };
  }

  private node(position: Position): PipelineNode {
    return newNode(this.nodeId, `${PREFIX}${this.id}`, position);
  }

  private definition(chosen: readonly PipelineNode[], corner: Position): Definition {
    const groups = this.old.groups.filter((group) => this.holds(group));
    return {
      id: this.id,
      title: NEW_TITLE,
      description: "",
      nodes: chosen.map((node) => ({
        ...node,
        position: moved(node.position, -corner.x, -corner.y),
      })),
      links: this.old.links.filter((link) => this.isInner(link)),
      ...(groups.length && { groups }),
      parameters: [...this.parameters.values()],
      inputs: [...this.inputs.values()],
      outputs: [...this.outputs.values()],
    };
  }

  private holds(group: Group): boolean {
    return group.nodes.length > 0 && group.nodes.every((id) => this.inside.has(id));
  }

  private isInner(link: Link): boolean {
    return this.inside.has(link.from.node) && this.inside.has(link.to.node);
  }

  private outerLinks(): readonly Link[] {
    return this.old.links
      .filter((link) => !this.isInner(link))
      .map((link) => {
        if (this.inside.has(link.from.node)) {
          return { ...link, from: this.port(link.from, this.outputs) };
        }
        if (this.inside.has(link.to.node)) return { ...link, to: this.port(link.to, this.inputs) };
        return link;
      });
  }

  /** Port of the new node for an inner port. */
  private port(end: Endpoint, ports: Map<string, DefinitionPort>): Endpoint {
    const place = `${end.node}.${end.port}`;
    let port = ports.get(place);
    if (!port) {
      port = { id: freeName(ports.values(), end), title: "", node: end.node, port: end.port };
      ports.set(place, port);
    }
    return { node: this.nodeId, port: port.id };
  }

  /** Return the inputs without a link, and outputs without links. */
  private freePorts(chosen: readonly PipelineNode[]): void {
    const linked = new Set(this.old.links.map((link) => `${link.to.node}.${link.to.port}`));
    const led = new Set(this.old.links.map((link) => `${link.from.node}.${link.from.port}`));
    for (const { id: node, module } of chosen) {
      const whole = definitionOf(this.old, module) ?? this.catalog.byId.get(module);
      for (const { id: port } of whole?.inputs ?? []) {
        if (!linked.has(`${node}.${port}`)) this.port({ node, port }, this.inputs);
      }
      for (const { id: port } of whole?.outputs ?? []) {
        if (!led.has(`${node}.${port}`)) this.port({ node, port }, this.outputs);
      }
    }
  }

  /** Move a bind of an outer parameter to the new node, or through it. */
  private outerParameter(parameter: PipelineParameter): PipelineParameter {
    const binds = parameter.binds.map((bind) => this.outerBind(bind));
    return { ...parameter, binds: [...new Set(binds)] };
  }

  private outerBind(bind: string): string {
    const first = leadingTo(bind, this.inside);
    if (first === undefined) return bind;
    const own = this.parameters.get(bind);
    return own
      ? `${this.nodeId}.${own.id}`
      : `${this.nodeId}/${localName(first)}${bind.slice(first.length)}`;
  }

  /** Rebind parameters around a shown sub-pipeline through the new node. */
  private boundParameters(): void {
    for (const { id, binds, type, default: value } of this.old.parameters ?? []) {
      if (isOuter(id)) continue;
      for (const bind of binds) {
        if (this.inside.has(halves(bind)[0])) this.parameter(bind, value, type);
      }
    }
  }

  /** Return a parameter of the new sub-pipeline for an inner bind. */
  private parameter(
    bind: string,
    value: JsonValue,
    type: PipelineParameter["type"] = typeOf(value),
  ): void {
    if (this.parameters.has(bind)) return;
    const [node, port] = halves(bind);
    const named = [...this.named].map((name) => ({ id: name }));
    const id = freeName([...this.parameters.values(), ...named], { node, port });
    const made = { id, title: "", type, default: value, description: "", binds: [bind] };
    this.parameters.set(bind, made);
  }
}

/** Return the node that a bind leads to, or through. */
function leadingTo(bind: string, nodes: ReadonlySet<string>): string | undefined {
  let [path] = halves(bind);
  while (path && !nodes.has(path)) path = placeAround(path);
  return path || undefined;
}

/** Return the JSON type of a value; `string` for null. */
function typeOf(value: JsonValue): PipelineParameter["type"] {
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (Array.isArray(value)) return "array";
  return typeof value === "object" && value !== null ? "object" : "string";
}

/** Refuse a sub-pipeline that would depend on itself through a node outside. */
function refuseCircle(
  document: PipelineDocument,
  catalog: Catalog,
  inside: ReadonlySet<string>,
): void {
  for (const link of document.links) {
    const leadsOut = inside.has(link.from.node) && !inside.has(link.to.node);
    if (leadsOut && [...inside].some((id) => reaches(document, link.to.node, id))) {
      const { node: id } = link.to;
      const node = titleAmong(document.nodes, nodeOf(document, id), catalog);
      refuse(PIPELINE_HAS_CYCLE, about(say.LIES_BETWEEN, { node }), { node: id });
    }
  }
}

/** Return the inner port's name, prefixed by its node's if it is taken. */
function freeName(taken: Iterable<{ readonly id: string }>, end: Endpoint): string {
  const names = [...taken];
  if (names.every((port) => port.id !== end.port)) return end.port;
  const node = end.node.replaceAll("-", "_").replace(/^(?=\d)/, "_");
  return freshId(names, `${node}_${end.port}`);
}

function withParameters(
  document: PipelineDocument,
  change: (parameter: PipelineParameter) => PipelineParameter,
): Pick<PipelineDocument, "parameters"> {
  return document.parameters ? { parameters: document.parameters.map(change) } : {};
}
