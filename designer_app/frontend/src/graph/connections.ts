/** The connection rule. The same answers as `pipelines/document/checks/connections.py`. */

import { type Catalog, findBridge, fits, inputOf, modulesThatGive, outputOf } from "./catalog";
import { findNode, linkAt, linksInto, nodesById, sameEnd } from "./lookup";
import { reaches } from "./traversal";
import { englishTypeWords, typeWords } from "./typeWords";
import {
  INPUT_LINKED_TWICE,
  type Kind,
  PIPELINE_HAS_CYCLE,
  PORT_TYPE_MISMATCH,
  UNKNOWN_MODULE,
  UNKNOWN_NODE,
  UNKNOWN_PORT,
  problemOf,
} from "./problems";
import * as say from "./sentences/edits.gen";
import { type Statement, about, cureOf, messageOf } from "./sentences/sentence";
import type {
  Endpoint,
  Link,
  ModuleSpec,
  PipelineDocument,
  PortSpec,
  Problem,
  Side,
} from "./types";

/** Verdict on a link: allowed, or the problem and its message. */
export interface LinkVerdict {
  readonly allowed: boolean;
  readonly kind: Kind | null;
  readonly statement: Statement | null;
  /** Id of the only module that converts the one type to the other. */
  readonly bridge: string | null;
  /** Link that the new one replaces: an input has one link. */
  readonly replaces: Link | null;
}

/** Return the verdict on a new link from an output to an input. */
export function mayLink(
  document: PipelineDocument,
  catalog: Catalog,
  from: Endpoint,
  to: Endpoint,
): LinkVerdict {
  const ends = findEnds(document, catalog, from, to);
  if ("allowed" in ends) return ends;
  const { source, output, target, input } = ends;
  if (from.node === to.node) {
    return refused(PIPELINE_HAS_CYCLE, about(say.FEEDS_ITSELF, {}));
  }
  const existing = linkAt(document, to);
  if (existing && sameEnd(existing.from, from)) {
    return refused(INPUT_LINKED_TWICE, about(say.CONNECTED_ALREADY, {}));
  }
  if (reaches(document, to.node, from.node)) {
    const titles = { source: source.title, target: target.title };
    return refused(PIPELINE_HAS_CYCLE, about(say.WOULD_CLOSE_CIRCLE, titles));
  }
  if (!fits(catalog, output.type, input.type)) {
    const { statement, bridge } = mismatch(catalog, source, output, target, input);
    return refused(PORT_TYPE_MISMATCH, statement, bridge);
  }
  return { allowed: true, kind: null, statement: null, bridge: null, replaces: existing ?? null };
}

/** Reason and fix in one sentence; empty if the link is allowed. */
export function refusalOf({ statement }: LinkVerdict): string {
  if (!statement) return "";
  const [message, cure] = [messageOf(statement), cureOf(statement)];
  return `${message.replace(/\.$/, "")}: ${cure.charAt(0).toLowerCase()}${cure.slice(1)}`;
}

/** Return the problem of an invalid link, at the input where it ends. */
export function problemOfVerdict(verdict: LinkVerdict, to: Endpoint): Problem {
  if (!verdict.kind || !verdict.statement) throw new Error("The ports can be connected.");
  return problemOf(verdict.kind, verdict.statement, {
    node: to.node,
    port: to.port,
    remedy: verdict.bridge ? { insert: [verdict.bridge] } : undefined,
  });
}

/** Return the reason why two types do not match, and the id of the module that converts them. */
function mismatch(
  catalog: Catalog,
  source: ModuleSpec,
  output: PortSpec,
  target: ModuleSpec,
  input: PortSpec,
): { statement: Statement; bridge: string | null } {
  const [needed, offered] = [naming(input.type), naming(output.type)];
  const facts = { target: target.title, needed, source: source.title, given: offered };
  const bridge = findBridge(catalog, output.type, input.type);
  if (bridge) {
    const statement = about(say.BRIDGED_TYPES, { ...facts, bridge: bridge.title });
    return { statement, bridge: bridge.id };
  }
  const makers = modulesThatGive(catalog, input.type).map((module) => module.title);
  const statement = makers.length
    ? about(say.OTHER_OUTPUT_FITS, { ...facts, makers })
    : about(say.NOTHING_FITS, facts);
  return { statement, bridge: null };
}

/** Return all ports on which a wire from this end may be dropped: they are highlighted meanwhile. */
export function linkablePorts(
  document: PipelineDocument,
  catalog: Catalog,
  end: Endpoint,
  side: Side,
): readonly Endpoint[] {
  const ends: Endpoint[] = [];
  for (const node of nodesById(document).values()) {
    const module = catalog.byId.get(node.module);
    const ports = side === "output" ? module?.inputs : module?.outputs;
    for (const port of ports ?? []) {
      const other = { node: node.id, port: port.id };
      const [from, to] = side === "output" ? [end, other] : [other, end];
      if (mayLink(document, catalog, from, to).allowed) ends.push(other);
    }
  }
  return ends;
}

/** Return all possible links from one node to another, free inputs first. */
export function possibleLinks(
  document: PipelineDocument,
  catalog: Catalog,
  source: string,
  target: string,
): readonly Link[] {
  return linksBetween(document, catalog, source, target).filter(
    (link) => mayLink(document, catalog, link.from, link.to).allowed,
  );
}

/** A refused link and the reason. */
export interface RefusedLink extends Link {
  readonly verdict: LinkVerdict;
}

/** Return the most helpful refusal for two nodes that cannot be connected; undefined without
 * ports. */
export function nearestRefusal(
  document: PipelineDocument,
  catalog: Catalog,
  one: string,
  other: string,
): RefusedLink | undefined {
  const links = [
    ...linksBetween(document, catalog, one, other),
    ...linksBetween(document, catalog, other, one),
  ].map((link) => ({ ...link, verdict: mayLink(document, catalog, link.from, link.to) }));
  return (
    links.find(({ verdict }) => verdict.kind === INPUT_LINKED_TWICE) ??
    links.find(({ verdict }) => verdict.bridge !== null) ??
    links[0]
  );
}

/** Return a link from each output of one node to each input of another, free inputs first. */
function linksBetween(
  document: PipelineDocument,
  catalog: Catalog,
  source: string,
  target: string,
): readonly Link[] {
  const outputs = catalog.byId.get(findNode(document, source)?.module ?? "")?.outputs ?? [];
  const inputs = catalog.byId.get(findNode(document, target)?.module ?? "")?.inputs ?? [];
  const taken = new Set(linksInto(document, target).map((link) => link.to.port));
  const sorted = [...inputs].sort((one, other) => +taken.has(one.id) - +taken.has(other.id));
  return sorted.flatMap((input) =>
    outputs.map((output) => ({
      from: { node: source, port: output.id },
      to: { node: target, port: input.id },
    })),
  );
}

interface Ends {
  readonly source: ModuleSpec;
  readonly output: PortSpec;
  readonly target: ModuleSpec;
  readonly input: PortSpec;
}

function findEnds(
  document: PipelineDocument,
  catalog: Catalog,
  from: Endpoint,
  to: Endpoint,
): Ends | LinkVerdict {
  const source = moduleAt(document, catalog, from);
  if ("allowed" in source) return source;
  const target = moduleAt(document, catalog, to);
  if ("allowed" in target) return target;
  const output = outputOf(source, from.port);
  if (!output) {
    const facts = { module: source.title, name: from.port };
    return refused(UNKNOWN_PORT, about(say.NO_OUTPUT_OF_MODULE, facts));
  }
  const input = inputOf(target, to.port);
  if (!input) {
    const facts = { module: target.title, name: to.port };
    return refused(UNKNOWN_PORT, about(say.NO_INPUT_OF_MODULE, facts));
  }
  return { source, output, target, input };
}

function moduleAt(
  document: PipelineDocument,
  catalog: Catalog,
  end: Endpoint,
): ModuleSpec | LinkVerdict {
  const node = findNode(document, end.node);
  if (!node) return refused(UNKNOWN_NODE, about(say.NO_NODE_DRAWN, { name: end.node }));
  const missing = { module: node.module };
  const module = catalog.byId.get(node.module);
  return module ?? refused(UNKNOWN_MODULE, about(say.MODULE_NOT_INSTALLED, missing));
}

function refused(kind: Kind, statement: Statement, bridge: string | null = null): LinkVerdict {
  return { allowed: false, kind, statement, bridge, replaces: null };
}

/** Name a type within a sentence: "a trained model", "an image directory", "scored images". */
export function naming(kind: string): Statement | string {
  const english = englishTypeWords(kind);
  const type = typeWords(kind);
  if (english.endsWith("s")) return type;
  return about("aeiou".includes(english.charAt(0)) ? say.AN_TYPE : say.A_TYPE, { type });
}
