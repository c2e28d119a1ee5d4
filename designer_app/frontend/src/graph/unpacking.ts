/** Contents of a sub-pipeline in place of its node. Apart from `subPipelines.ts`: every run's document
 * is expanded, while sub-pipelines are created rarely. */

import { freshId } from "./edits";
import { halves } from "./binds";
import { definitionIdOf } from "./definitions";
import { parametersAround } from "./unpackedBinds";
import { moved, outerGroups, outerNotes } from "./unpackedNotes";
import type {
  Definition,
  DefinitionPort,
  Endpoint,
  Group,
  JsonValue,
  Link,
  PipelineDocument,
  PipelineNode,
} from "./types";

/** Replace a node by its contents: they keep their names if free, or get those of `rename`, and
 * then no notes and groups. */
export function putInPlace(
  document: PipelineDocument,
  node: PipelineNode,
  definition: Definition,
  rename?: (inner: string) => string,
): PipelineDocument {
  const { id } = node;
  const nodes = document.nodes.filter((other) => other.id !== id);
  const names = new Map<string, string>();
  for (const inner of definition.nodes) {
    const name = rename?.(inner.id) ?? freshId(nodes, inner.id);
    names.set(inner.id, name);
    nodes.push(outside(inner, node, definition, name));
  }
  const links = document.links.flatMap((link) => joined(link, id, definition, names) ?? []);
  const inner = definition.links.map((link) => ({
    ...link,
    from: named(link.from, names),
    to: named(link.to, names),
  }));
  const groups = document.groups.map((group) =>
    regrouped(group, new Map([[id, [...names.values()]]])),
  );
  return withoutUnused(
    {
      ...document,
      nodes,
      links: [...links, ...inner],
      notes: rename
        ? document.notes
        : [...document.notes, ...outerNotes(document, node, definition)],
      groups: rename ? groups : [...groups, ...outerGroups(document, definition, names)],
      ...parametersAround(document, node, definition, names),
    },
    definition.id,
  );
}

/** Remove a definition if no node uses it. */
function withoutUnused(document: PipelineDocument, id: string): PipelineDocument {
  const { definitions = [], ...rest } = document;
  const nodes = [document, ...definitions].flatMap((whole) => whole.nodes);
  if (nodes.some((node) => definitionIdOf(node.module) === id)) return document;
  return withDefinitions(
    rest,
    definitions.filter((definition) => definition.id !== id),
  );
}

function withDefinitions(
  document: PipelineDocument,
  definitions: readonly Definition[],
): PipelineDocument {
  return definitions.length ? { ...document, definitions } : document;
}

/** Return an inner node as a node of the enclosing document, with its inner values. */
function outside(
  inner: PipelineNode,
  around: PipelineNode,
  definition: Definition,
  id: string,
): PipelineNode {
  const bound: Record<string, JsonValue> = {};
  for (const parameter of definition.parameters) {
    for (const bind of parameter.binds) {
      const [node, name] = halves(bind);
      const value = around.parameters[parameter.id];
      if (node === inner.id) bound[name] = value === undefined ? parameter.default : value;
    }
  }
  const { run_settings: settings } = inner;
  const outer = around.run_settings;
  return {
    ...inner,
    id,
    position: moved(inner.position, around.position.x, around.position.y),
    parameters: { ...inner.parameters, ...bound },
    run_settings: {
      ...settings,
      target: settings.target ?? outer.target,
      regenerate_output: settings.regenerate_output || outer.regenerate_output,
    },
    disabled: inner.disabled || around.disabled,
  };
}

/** Move a link from or to the node to the inner ports. */
function joined(
  link: Link,
  id: string,
  definition: Definition,
  names: ReadonlyMap<string, string>,
): Link | undefined {
  const from = link.from.node === id ? innerEnd(link.from, definition.outputs, names) : link.from;
  const to = link.to.node === id ? innerEnd(link.to, definition.inputs, names) : link.to;
  return from && to ? { ...link, from, to } : undefined;
}

function innerEnd(
  end: Endpoint,
  ports: readonly DefinitionPort[],
  names: ReadonlyMap<string, string>,
): Endpoint | undefined {
  const port = ports.find((port) => port.id === end.port);
  const node = port && names.get(port.node);
  return port && node !== undefined ? { node, port: port.port } : undefined;
}

/** Replace some nodes of a group by others. */
export function regrouped(group: Group, instead: ReadonlyMap<string, readonly string[]>): Group {
  return { ...group, nodes: group.nodes.flatMap((id) => instead.get(id) ?? [id]) };
}

function named(end: Endpoint, names: ReadonlyMap<string, string>): Endpoint {
  return { ...end, node: names.get(end.node) ?? end.node };
}
