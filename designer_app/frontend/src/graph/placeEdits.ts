/** Edits inside a sub-pipeline, stored in its definition and everything that refers to its ports. */

import { definitionIdOf } from "./definitions";
import { freshId } from "./edits";
import { halves, nodeAt } from "./binds";
import { isOuter, withOuterParameters } from "./outerBinds";
import { INPUTS, NEW_PORT, OUTPUTS, isBoundary, isInside, localName } from "./paths";
import { holds } from "./placeModules";
import { PIPELINE_HAS_CYCLE, refuse } from "./problems";
import { HOLDS_ITSELF } from "./sentences/subPipelines.gen";
import { about } from "./sentences/sentence";
import type {
  Definition,
  DefinitionPort,
  Endpoint,
  Group,
  Link,
  PipelineDocument,
  PipelineNode,
  PipelineParameter,
} from "./types";

/** Return the original of a shown part of a definition if it has not changed. */
type OriginalOf = (shown: object) => object | undefined;

/** Definition of a document, at the place where its inside is shown. */
interface Opened {
  readonly whole: PipelineDocument;
  readonly definition: Definition;
  readonly place: string;
}

/** Return the whole document with the shown definition replaced by its edited version. */
export function keptInside(
  { whole, definition, place }: Opened,
  shown: PipelineDocument,
  originalOf: OriginalOf,
): PipelineDocument {
  const known = new Set(whole.definitions);
  const definitions = (shown.definitions ?? []).map((inner) => {
    if (inner.id === definition.id) return insideKept(inner, definition, shown, originalOf, place);
    return known.has(inner) || !inner.nodes.some((node) => isInside(node.id))
      ? inner
      : made(inner, place);
  });
  refuseHolding(definitions, definition.id);
  const after = definitions.find((candidate) => candidate.id === definition.id) ?? definition;
  const { name, description, settings } = shown;
  const { parameters = [] } = shown;
  const inside = { ...whole, name, description, settings, definitions };
  const kept = withOuterParameters(inside, whole, after, place, parameters);
  return withoutLost(kept, definition, after);
}

function insideKept(
  named: Definition,
  before: Definition,
  shown: PipelineDocument,
  originalOf: OriginalOf,
  place: string,
): Definition {
  const { id, title, description } = named;
  const nodes = shown.nodes
    .filter((node) => !isBoundary(node.id))
    .map((node) => (originalOf(node) as PipelineNode | undefined) ?? local(node));
  const links = shown.links
    .filter((link) => !isBoundary(link.from.node) && !isBoundary(link.to.node))
    .map((link) => (originalOf(link) as Link | undefined) ?? localLink(link));
  const { notes } = shown;
  const groups = shown.groups.map(localGroup);
  return {
    id,
    title,
    description,
    nodes,
    links,
    ...(notes.length && { notes }),
    ...(groups.length && { groups }),
    parameters: (shown.parameters ?? [])
      .filter((parameter) => !isOuter(parameter.id))
      .map((parameter) => localParameter(parameter, place)),
    inputs: portsAfter(shown, before.inputs, INPUTS, (link) => [link.from, link.to]),
    outputs: portsAfter(shown, before.outputs, OUTPUTS, (link) => [link.to, link.from]),
  };
}

/** Return the ports as linked now; all existing ports if their node was deleted. */
function portsAfter(
  shown: PipelineDocument,
  before: readonly DefinitionPort[],
  side: string,
  endsOf: (link: Link) => readonly [outer: Endpoint, inner: Endpoint],
): readonly DefinitionPort[] {
  if (!shown.nodes.some((node) => localName(node.id) === side)) {
    const there = new Set(shown.nodes.map((node) => localName(node.id)));
    return before.filter((port) => there.has(port.node));
  }
  const linked = new Map<string, Endpoint>();
  const fresh: Endpoint[] = [];
  for (const link of shown.links) {
    const [outer, inner] = endsOf(link);
    if (localName(outer.node) !== side || isBoundary(inner.node)) continue;
    if (outer.port === NEW_PORT) fresh.push(inner);
    else linked.set(outer.port, inner);
  }
  const ports = before.flatMap((port) => {
    const inner = linked.get(port.id);
    return inner ? [{ ...port, node: localName(inner.node), port: inner.port }] : [];
  });
  for (const { node, port } of fresh) {
    ports.push({ id: freshId(ports, port), title: "", node: localName(node), port });
  }
  return ports;
}

/** Make a definition of nodes that are shown by their paths. */
function made(definition: Definition, place: string): Definition {
  return {
    ...definition,
    nodes: definition.nodes.map(local),
    links: definition.links.map(localLink),
    ...(definition.groups && { groups: definition.groups.map(localGroup) }),
    parameters: definition.parameters.map((parameter) => localParameter(parameter, place)),
    inputs: definition.inputs.map(localPort),
    outputs: definition.outputs.map(localPort),
  };
}

function local(node: PipelineNode): PipelineNode {
  return { ...node, id: localName(node.id) };
}

function localLink(link: Link): Link {
  const [from, to] = [link.from, link.to];
  return {
    ...link,
    from: { ...from, node: localName(from.node) },
    to: { ...to, node: localName(to.node) },
  };
}

function localGroup(group: Group): Group {
  return { ...group, nodes: group.nodes.filter((id) => !isBoundary(id)).map(localName) };
}

function localParameter(parameter: PipelineParameter, place: string): PipelineParameter {
  return { ...parameter, binds: parameter.binds.map((bind) => bind.slice(place.length + 1)) };
}

function localPort(port: DefinitionPort): DefinitionPort {
  return { ...port, node: localName(port.node) };
}

function refuseHolding(definitions: readonly Definition[], id: string): void {
  const inner = definitions.find((definition) => definition.id === id)?.nodes ?? [];
  if (!inner.some((node) => holds(definitions, node.module, id))) return;
  refuse(PIPELINE_HAS_CYCLE, about(HOLDS_ITSELF, {}));
}

/** Remove links and values of ports and parameters that a definition no longer has. */
function withoutLost(
  whole: PipelineDocument,
  before: Definition,
  after: Definition,
): PipelineDocument {
  const inputs = lost(before.inputs, after.inputs);
  const outputs = lost(before.outputs, after.outputs);
  const names = lost(before.parameters, after.parameters);
  if (!inputs.size && !outputs.size && !names.size) return whole;
  const { definitions = [] } = whole;
  const isLost =
    ({ nodes }: PipelineDocument | Definition) =>
    (bind: string): boolean => {
      const [path, name] = halves(bind);
      const module = nodeAt({ nodes, definitions }, path)?.module ?? "";
      return names.has(name) && definitionIdOf(module) === before.id;
    };
  const clean = <Part extends PipelineDocument | Definition>(part: Part): Part => {
    const users = new Set(
      part.nodes.filter((node) => definitionIdOf(node.module) === before.id).map(({ id }) => id),
    );
    const parameters = part.parameters?.map((parameter) => unbound(parameter, isLost(part)));
    if (!users.size) return parameters ? { ...part, parameters } : part;
    return {
      ...part,
      links: part.links.filter(
        ({ from, to }) =>
          !(users.has(from.node) && outputs.has(from.port)) &&
          !(users.has(to.node) && inputs.has(to.port)),
      ),
      nodes: part.nodes.map((node) => (users.has(node.id) ? without(node, names) : node)),
      ...(parameters && { parameters }),
    };
  };
  const cleaned = clean(whole);
  return { ...cleaned, definitions: (cleaned.definitions ?? []).map(clean) };
}

function lost(
  before: readonly { readonly id: string }[],
  after: readonly { readonly id: string }[],
): ReadonlySet<string> {
  const there = new Set(after.map((part) => part.id));
  return new Set(before.map((part) => part.id).filter((id) => !there.has(id)));
}

function without(node: PipelineNode, names: ReadonlySet<string>): PipelineNode {
  const kept = Object.entries(node.parameters).filter(([name]) => !names.has(name));
  return { ...node, parameters: Object.fromEntries(kept) };
}

function unbound(
  parameter: PipelineParameter,
  isLost: (bind: string) => boolean,
): PipelineParameter {
  return { ...parameter, binds: parameter.binds.filter((bind) => !isLost(bind)) };
}
