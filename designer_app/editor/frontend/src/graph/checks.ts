/** What is wrong with a document, as far as it can be known without the server.
 *
 * The same codes as `pipelines/validation/checks.py`. What it cannot know (datasets, weights, what a module
 * checks of several values together) the server adds. */

import { type Catalog, fits, inputOf, outputOf } from "./catalog";
import { findNode, linkAt, linksInto, nodesById, sameEnd } from "./lookup";
import { findCycle } from "./traversal";
import { parameterProblems } from "./parameters";
import {
  EMPTY_PIPELINE,
  INPUT_LINKED_TWICE,
  MODULE_VERSION_MISSING,
  NODE_COUNT_TOO_LARGE,
  NOT_DISTRIBUTED,
  NULL_OR_EMPTY,
  PIPELINE_HAS_CYCLE,
  PORT_TYPE_MISMATCH,
  PROCESS_COUNT_TOO_LARGE,
  UNKNOWN_COMPUTE_TARGET,
  UNKNOWN_MODULE,
  UNKNOWN_NODE,
  UNKNOWN_PORT,
  didYouMean,
  problemOf,
} from "./problems";
import { mismatch } from "./connections";
import type {
  ComputeTarget,
  Endpoint,
  Link,
  ModuleSpec,
  PipelineDocument,
  PipelineNode,
  PortSpec,
  Problem,
} from "./types";

/** The codes that are found here whenever they hold; the server's word is taken for all others. */
export const LOCAL_CODES: ReadonlySet<string> = new Set([
  "0004",
  "0005",
  "0006",
  "0007",
  "3001",
  "3002",
  "3003",
  "3004",
  "3005",
  "3006",
  "3007",
  "3009",
  "3010",
  "3011",
  "3012",
  "3019",
  "3020",
  "3027",
]);

/** All problems; without targets, run settings are not compared with what they offer. */
export function validate(
  document: PipelineDocument,
  catalog: Catalog,
  targets?: readonly ComputeTarget[],
): readonly Problem[] {
  const found: Problem[] = [...linkProblems(document, catalog)];
  const cycle = knownCycle(document);
  if (cycle) found.push(cycleProblem(cycle));
  const active = document.nodes.filter((node) => !node.disabled);
  if (active.length === 0) {
    const cure = "Add a module from the palette, or enable one.";
    found.push(problemOf(EMPTY_PIPELINE, "There is no node to run.", cure));
  }
  const target = document.settings.target;
  if (targets && !targets.some((each) => each.name === target)) {
    found.push(unknownTarget(target, targets));
  }
  for (const node of active) found.push(...nodeProblems(node, document, catalog, targets));
  return found;
}

/** Cycles depend on the links alone, and most edits leave those as they are. */
const cycles = new WeakMap<PipelineDocument["links"], readonly string[] | null>();

function knownCycle(document: PipelineDocument): readonly string[] | null {
  let cycle = cycles.get(document.links);
  if (cycle === undefined) {
    cycle = findCycle(document) ?? null;
    cycles.set(document.links, cycle);
  }
  return cycle;
}

/** The faults of a node's parameters: looked for once in each version of the node. */
const faults = new WeakMap<PipelineNode, { module: ModuleSpec; found: readonly Problem[] }>();

function knownFaults(module: ModuleSpec, node: PipelineNode): readonly Problem[] {
  const known = faults.get(node);
  if (known?.module === module) return known.found;
  const found = parameterProblems(module, node);
  faults.set(node, { module, found });
  return found;
}

function nodeProblems(
  node: PipelineNode,
  document: PipelineDocument,
  catalog: Catalog,
  targets?: readonly ComputeTarget[],
): readonly Problem[] {
  const module = catalog.byId.get(node.module);
  if (!module) return [unknownModule(node, catalog)];
  return [
    ...(node.version === module.version ? [] : [otherVersion(node, module)]),
    ...knownFaults(module, node),
    ...missingInputs(node, module, document, catalog),
    ...runSettingProblems(node, module, document, targets),
  ];
}

function unknownModule(node: PipelineNode, catalog: Catalog): Problem {
  const near = didYouMean(node.module, [...catalog.byId.keys()]);
  const cure = `Install it, or replace the node. ${near}`;
  return problemOf(UNKNOWN_MODULE, `There is no module '${node.module}'.`, cure, { node: node.id });
}

function otherVersion(node: PipelineNode, module: ModuleSpec): Problem {
  const older = node.version < module.version;
  const made = `The node was made with version ${node.version} of ${module.title}`;
  return problemOf(
    MODULE_VERSION_MISSING,
    `${made}; version ${module.version} is installed.`,
    older
      ? "Upgrade the node, then look over its parameters."
      : "Update the package the module comes from.",
    { node: node.id, remedy: older ? { upgrade: node.id } : undefined },
  );
}

function missingInputs(
  node: PipelineNode,
  module: ModuleSpec,
  document: PipelineDocument,
  catalog: Catalog,
): readonly Problem[] {
  return module.inputs.flatMap((port) => {
    if (port.optional) return [];
    const link = linkAt(document, { node: node.id, port: port.id });
    const place = { node: node.id, port: port.id };
    if (!link || !isUsable(link, document, catalog)) {
      const cure = `Connect an output of type ${port.type}.`;
      return [problemOf(NULL_OR_EMPTY, `${port.title} is not connected.`, cure, place)];
    }
    if (sourceOf(link.from, document, catalog)) return [];
    const source = link.from.node;
    const message = `${port.title} gets nothing: '${source}' is disabled and hands nothing on.`;
    const cure = `Enable '${source}', or connect another output.`;
    return [problemOf(NULL_OR_EMPTY, message, cure, place)];
  });
}

/** The output of an active node that an output stands for; disabled nodes are passed through. */
export function sourceOf(
  end: Endpoint,
  document: PipelineDocument,
  catalog: Catalog,
): Endpoint | undefined {
  const passed = new Set<string>();
  let at = end;
  while (findNode(document, at.node)?.disabled) {
    const link = passed.has(at.node) ? undefined : bypass(at, document, catalog);
    if (!link) return undefined;
    passed.add(at.node);
    at = link.from;
  }
  return at;
}

/** The link into a disabled node that takes the place of one of its outputs. */
function bypass(end: Endpoint, document: PipelineDocument, catalog: Catalog): Link | undefined {
  const module = catalog.byId.get(findNode(document, end.node)?.module ?? "");
  const output = module && outputOf(module, end.port);
  if (!output) return undefined;
  const fitting = module.inputs.filter((port) => fits(catalog, port.type, output.type));
  const [port] = fitting;
  if (!port || fitting.length !== 1) return undefined;
  const link = linkAt(document, { node: end.node, port: port.id });
  return link && isUsable(link, document, catalog) ? link : undefined;
}

function isUsable(link: Link, document: PipelineDocument, catalog: Catalog): boolean {
  return (
    endFault(link, link.from, "output", document, catalog) === undefined &&
    endFault(link, link.to, "input", document, catalog) === undefined
  );
}

function linkProblems(document: PipelineDocument, catalog: Catalog): readonly Problem[] {
  return document.links.flatMap((link) => {
    const faults = [
      endFault(link, link.from, "output", document, catalog),
      endFault(link, link.to, "input", document, catalog),
    ].filter((each) => each !== undefined);
    if (faults.length) return faults;
    const first = linksInto(document, link.to.node).find((each) => sameEnd(each.to, link.to));
    if (first !== link) return [linkedTwice(link)];
    return typeProblem(link, document, catalog);
  });
}

function endFault(
  link: Link,
  end: Endpoint,
  side: "input" | "output",
  document: PipelineDocument,
  catalog: Catalog,
): Problem | undefined {
  const node = findNode(document, end.node);
  const remedy = { disconnect: { node: link.to.node, port: link.to.port } };
  if (!node) {
    const way = `${link.from.node}.${link.from.port} -> ${link.to.node}.${link.to.port}`;
    const message = `The link ${way} names a node '${end.node}' that is not there.`;
    return problemOf(UNKNOWN_NODE, message, "Remove the link.", { remedy });
  }
  const module = catalog.byId.get(node.module);
  const ports: readonly PortSpec[] = (side === "output" ? module?.outputs : module?.inputs) ?? [];
  if (!module || ports.some((port) => port.id === end.port)) return undefined;
  const near = didYouMean(
    end.port,
    ports.map((port) => port.id),
  );
  const message = `${module.title} has no ${side} '${end.port}'.`;
  const place = { node: end.node, port: end.port, remedy };
  return problemOf(UNKNOWN_PORT, message, `${near} Or remove the link.`, place);
}

function linkedTwice(link: Link): Problem {
  const source = `${link.from.node}.${link.from.port}`;
  const message = `Two links end at ${link.to.node}.${link.to.port}.`;
  const cure = `Remove one of them; this one comes from ${source}.`;
  return problemOf(INPUT_LINKED_TWICE, message, cure, { node: link.to.node, port: link.to.port });
}

function typeProblem(link: Link, document: PipelineDocument, catalog: Catalog): readonly Problem[] {
  const nodes = nodesById(document);
  const source = catalog.byId.get(nodes.get(link.from.node)?.module ?? "");
  const target = catalog.byId.get(nodes.get(link.to.node)?.module ?? "");
  const output = source && outputOf(source, link.from.port);
  const input = target && inputOf(target, link.to.port);
  if (!output || !input || fits(catalog, output.type, input.type)) return [];
  const { message, cure, bridge } = mismatch(catalog, source, output, target, input);
  const remedy = bridge ? { insert: [bridge] } : undefined;
  const place = { node: link.to.node, port: link.to.port, remedy };
  return [problemOf(PORT_TYPE_MISMATCH, message, cure, place)];
}

function cycleProblem(ids: readonly string[]): Problem {
  const shown = ids.length > 10 ? [...ids.slice(0, 10), "..."] : [...ids, ...ids.slice(0, 1)];
  const message = `The links run in a circle: ${shown.join(" -> ")}.`;
  const place = ids[0] === undefined ? {} : { node: ids[0] };
  return problemOf(PIPELINE_HAS_CYCLE, message, "Remove one of these links.", place);
}

function runSettingProblems(
  node: PipelineNode,
  module: ModuleSpec,
  document: PipelineDocument,
  targets?: readonly ComputeTarget[],
): readonly Problem[] {
  const found: Problem[] = [];
  const settings = node.run_settings;
  const counts = { node_count: 1, process_count_per_node: 1 };
  if (!module.distributed && (settings.node_count > 1 || settings.process_count_per_node > 1)) {
    const message = `${module.title} runs in one process.`;
    const parameter = settings.node_count > 1 ? "node_count" : "process_count_per_node";
    const place = { node: node.id, parameter, remedy: { run_settings: counts } };
    const cure = "Set node count and process count per node to 1.";
    found.push(problemOf(NOT_DISTRIBUTED, message, cure, place));
  }
  if (!targets) return found;
  const name = settings.target ?? document.settings.target;
  const offer = targets.find((each) => each.name === name);
  if (!offer && settings.target) found.push(unknownTarget(name, targets, node.id));
  else if (offer && module.distributed) found.push(...exceededOffers(node, offer));
  return found;
}

function unknownTarget(name: string, targets: readonly ComputeTarget[], node?: string): Problem {
  const cure = didYouMean(
    name,
    targets.map((each) => each.name),
  );
  const place = node === undefined ? { parameter: "target" } : { node, parameter: "target" };
  return problemOf(UNKNOWN_COMPUTE_TARGET, `There is no compute target '${name}'.`, cure, place);
}

function exceededOffers(node: PipelineNode, offer: ComputeTarget): readonly Problem[] {
  const found: Problem[] = [];
  const { node_count: nodes, process_count_per_node: processes } = node.run_settings;
  const another = "or use another compute target.";
  if (nodes > offer.max_nodes) {
    const most = `the maximum number of nodes of compute target '${offer.name}' is ${offer.max_nodes}`;
    found.push(
      problemOf(
        NODE_COUNT_TOO_LARGE,
        `Node count is ${nodes}; ${most}.`,
        `Set node count to at most ${offer.max_nodes}, ${another}`,
        setting(node, "node_count", offer.max_nodes),
      ),
    );
  }
  if (processes > offer.processes_per_node) {
    const most = `a node of compute target '${offer.name}' has ${offer.processes_per_node} processing units`;
    found.push(
      problemOf(
        PROCESS_COUNT_TOO_LARGE,
        `Process count per node is ${processes}; ${most}.`,
        `Set process count per node to at most ${offer.processes_per_node}, ${another}`,
        setting(node, "process_count_per_node", offer.processes_per_node),
      ),
    );
  }
  return found;
}

function setting(
  node: PipelineNode,
  parameter: string,
  value: number,
): { node: string; parameter: string; remedy: { run_settings: Record<string, number> } } {
  return { node: node.id, parameter, remedy: { run_settings: { [parameter]: value } } };
}
