/** May this output be connected to that input? The same answers as `pipelines/validation/connections.py`. */

import { type Catalog, findBridge, fits, inputOf, outputOf } from "./catalog";
import { findNode, linkAt, linksInto, nodesById, sameEnd } from "./lookup";
import { reaches } from "./traversal";
import {
  INPUT_LINKED_TWICE,
  type Kind,
  PIPELINE_HAS_CYCLE,
  PORT_TYPE_MISMATCH,
  UNKNOWN_MODULE,
  UNKNOWN_NODE,
  UNKNOWN_PORT,
  examples,
  problemOf,
} from "./problems";
import type {
  Endpoint,
  Link,
  ModuleSpec,
  PipelineDocument,
  PortSpec,
  Problem,
  Side,
} from "./types";

/** Whether a link may be made; if not, the kind of problem it would be, why, and the cure. */
export interface LinkVerdict {
  readonly allowed: boolean;
  readonly kind: Kind | null;
  readonly message: string;
  readonly cure: string;
  /** Why not and what to do, in one sentence. */
  readonly reason: string;
  /** The id of the one module that, put between, joins the two types. */
  readonly bridge: string | null;
  /** The link that the new one takes the place of: an input has one. */
  readonly replaces: Link | null;
}

/** The verdict on a link from an output to an input that is not there yet. */
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
    return refused(
      PIPELINE_HAS_CYCLE,
      "A node cannot feed itself.",
      "Connect another node's output.",
    );
  }
  const existing = linkAt(document, to);
  if (existing && sameEnd(existing.from, from)) {
    return refused(
      INPUT_LINKED_TWICE,
      "These ports are connected already.",
      "Choose another input.",
    );
  }
  if (reaches(document, to.node, from.node)) {
    return refused(
      PIPELINE_HAS_CYCLE,
      `The link would close a circle, ${source.title} needs what ${target.title} gives.`,
      "Connect an output that does not depend on it.",
    );
  }
  if (!fits(catalog, output.type, input.type)) {
    const { message, cure, bridge } = mismatch(catalog, source, output, target, input);
    return refused(PORT_TYPE_MISMATCH, message, cure, bridge);
  }
  return { ...refused(null, "", ""), allowed: true, reason: "", replaces: existing ?? null };
}

/** What making the link all the same would be, at the input it ends at. */
export function problemOfVerdict(verdict: LinkVerdict, to: Endpoint): Problem {
  return problemOf(verdict.kind ?? PORT_TYPE_MISMATCH, verdict.message, verdict.cure, {
    node: to.node,
    port: to.port,
    remedy: verdict.bridge ? { insert: [verdict.bridge] } : undefined,
  });
}

/** Why two types do not fit, the cure, and the id of the module that bridges them. */
export function mismatch(
  catalog: Catalog,
  source: ModuleSpec,
  output: PortSpec,
  target: ModuleSpec,
  input: PortSpec,
): { message: string; cure: string; bridge: string | null } {
  const message = `${target.title} needs ${a(input.type)}, ${source.title} gives ${a(output.type)}.`;
  const bridge = findBridge(catalog, output.type, input.type);
  if (bridge) return { message, cure: `Put ${bridge.title} between them.`, bridge: bridge.id };
  const makers = catalog.modules
    .filter((module) => module.outputs.some((port) => fits(catalog, port.type, input.type)))
    .map((module) => module.title);
  const cure = makers.length
    ? `Connect an output of ${examples(makers)}.`
    : `Install a module that gives ${a(input.type)}.`;
  return { message, cure, bridge: null };
}

/** Every port that a wire from this end may be dropped on: what lights up while it is drawn. */
export function linkablePorts(
  document: PipelineDocument,
  catalog: Catalog,
  end: Endpoint,
  side: Side,
): readonly Endpoint[] {
  const found: Endpoint[] = [];
  for (const node of nodesById(document).values()) {
    const module = catalog.byId.get(node.module);
    const ports = side === "output" ? module?.inputs : module?.outputs;
    for (const port of ports ?? []) {
      const other = { node: node.id, port: port.id };
      const [from, to] = side === "output" ? [end, other] : [other, end];
      if (mayLink(document, catalog, from, to).allowed) found.push(other);
    }
  }
  return found;
}

/** Every link that may be made from one node to another, free inputs first. */
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

/** A link that may not be made, and why not. */
export interface RefusedLink extends Link {
  readonly verdict: LinkVerdict;
}

/** Of two nodes that nothing can join: the refusal that helps most; undefined where ports are missing. */
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

/** A link from each output of one node to each input of another, free inputs first. */
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
    const message = `${source.title} has no output '${from.port}'.`;
    return refused(UNKNOWN_PORT, message, "Choose one of its outputs.");
  }
  const input = inputOf(target, to.port);
  if (!input) {
    const message = `${target.title} has no input '${to.port}'.`;
    return refused(UNKNOWN_PORT, message, "Choose one of its inputs.");
  }
  return { source, output, target, input };
}

function moduleAt(
  document: PipelineDocument,
  catalog: Catalog,
  end: Endpoint,
): ModuleSpec | LinkVerdict {
  const node = findNode(document, end.node);
  if (!node) {
    const message = `There is no node '${end.node}'.`;
    return refused(UNKNOWN_NODE, message, "Choose one that is on the canvas.");
  }
  const message = `The module '${node.module}' is not installed.`;
  const module = catalog.byId.get(node.module);
  return module ?? refused(UNKNOWN_MODULE, message, "Install it, or replace the node.");
}

function refused(
  kind: Kind | null,
  message: string,
  cure: string,
  bridge: string | null = null,
): LinkVerdict {
  const start = message.endsWith(".") ? message.slice(0, -1) : message;
  const reason = `${start}: ${cure.charAt(0).toLowerCase()}${cure.slice(1)}`;
  return { allowed: false, kind, message, cure, reason, bridge, replaces: null };
}

function a(type: string): string {
  return `${"AEIOU".includes(type.charAt(0)) ? "an" : "a"} ${type}`;
}
