/** What is wrong with a document, as far as it can be known without the server.
 *
 * The same codes as `pipelines/validation/checks.py`. What it cannot know (datasets, weights, what a module
 * checks of several values together) the server adds. */

import { type Catalog, fits, inputOf, outputOf } from "./catalog";
import { isUsable, sourceOf } from "./disabledNodes";
import { findNode, linkAt, linksInto, nodesById, sameEnd } from "./lookup";
import { findCycle } from "./traversal";
import { parameterProblems } from "./parameterProblems";
import {
  EMPTY_PIPELINE,
  INPUT_LINKED_TWICE,
  MODULE_VERSION_MISSING,
  NULL_OR_EMPTY,
  PIPELINE_HAS_CYCLE,
  PORT_TYPE_MISMATCH,
  UNKNOWN_MODULE,
  UNKNOWN_NODE,
  UNKNOWN_PORT,
  didYouMean,
  problemOf,
} from "./problems";
import { mismatch, naming } from "./connections";
import { portOf } from "./portOf";
import { runSettingProblems, unknownTarget } from "./runSettings";
import * as say from "./sentences/checks.gen";
import { type Statement, about } from "./sentences/sentence";
import { titleAmong } from "./titles";
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
  "3060",
  "3061",
  "3062",
]);

/** All problems; without targets, run settings are not compared with what they offer. */
export function validate(
  document: PipelineDocument,
  catalog: Catalog,
  targets?: readonly ComputeTarget[],
): readonly Problem[] {
  const found: Problem[] = [...linkProblems(document, catalog)];
  const cycle = knownCycle(document);
  if (cycle) found.push(cycleProblem(cycle, document, catalog));
  const active = document.nodes.filter((node) => !node.disabled);
  if (active.length === 0) {
    found.push(problemOf(EMPTY_PIPELINE, about(say.NOTHING_TO_RUN, {})));
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
  const help = didYouMean(node.module, [...catalog.byId.keys()]);
  const said = about(say.NO_MODULE_OF_NODE, { module: node.module, help });
  return problemOf(UNKNOWN_MODULE, said, { node: node.id });
}

function otherVersion(node: PipelineNode, module: ModuleSpec): Problem {
  const { version } = node;
  const older = version < module.version;
  const facts = { version, module: module.title, installed: module.version };
  const said = about(older ? say.OLDER_VERSION : say.NEWER_VERSION, facts);
  const remedy = older ? { upgrade: node.id } : undefined;
  return problemOf(MODULE_VERSION_MISSING, said, { node: node.id, remedy });
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
      const said = about(say.NOT_CONNECTED, { input: port.label, type: naming(port.type) });
      return [problemOf(NULL_OR_EMPTY, said, place)];
    }
    if (sourceOf(link.from, document, catalog)) return [];
    const said = about(say.GETS_NOTHING, {
      input: port.label,
      source: titleById(link.from.node, document, catalog),
    });
    return [problemOf(NULL_OR_EMPTY, said, place)];
  });
}

function linkProblems(document: PipelineDocument, catalog: Catalog): readonly Problem[] {
  return document.links.flatMap((link) => {
    const faults = [
      endFault(link, link.from, "output", document, catalog),
      endFault(link, link.to, "input", document, catalog),
    ].filter((each) => each !== undefined);
    if (faults.length) return faults;
    const first = linksInto(document, link.to.node).find((each) => sameEnd(each.to, link.to));
    if (first !== link) return [linkedTwice(link, document, catalog)];
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
    return problemOf(UNKNOWN_NODE, noNode(link, side, document, catalog), { remedy });
  }
  const module = catalog.byId.get(node.module);
  const ports: readonly PortSpec[] = (side === "output" ? module?.outputs : module?.inputs) ?? [];
  const names = ports.map((port) => port.id);
  if (!module || names.includes(end.port)) return undefined;
  const facts = { module: module.title, name: end.port, help: didYouMean(end.port, names) };
  const said = about(side === "output" ? say.LINK_NO_OUTPUT : say.LINK_NO_INPUT, facts);
  return problemOf(UNKNOWN_PORT, said, { node: end.node, port: end.port, remedy });
}

function noNode(
  { from, to }: Link,
  side: "input" | "output",
  document: PipelineDocument,
  catalog: Catalog,
): Statement {
  return side === "output"
    ? about(say.LINK_FROM_NO_NODE, { to: portOf(document, catalog, to), name: from.node })
    : about(say.LINK_TO_NO_NODE, { source: portOf(document, catalog, from), name: to.node });
}

function linkedTwice({ from, to }: Link, document: PipelineDocument, catalog: Catalog): Problem {
  const module = catalog.byId.get(findNode(document, to.node)?.module ?? "");
  const said = about(say.TWO_LINKS, {
    input: (module && inputOf(module, to.port)?.label) ?? to.port,
    source: titleById(from.node, document, catalog),
  });
  return problemOf(INPUT_LINKED_TWICE, said, { node: to.node, port: to.port });
}

function typeProblem(link: Link, document: PipelineDocument, catalog: Catalog): readonly Problem[] {
  const nodes = nodesById(document);
  const source = catalog.byId.get(nodes.get(link.from.node)?.module ?? "");
  const target = catalog.byId.get(nodes.get(link.to.node)?.module ?? "");
  const output = source && outputOf(source, link.from.port);
  const input = target && inputOf(target, link.to.port);
  if (!output || !input || fits(catalog, output.type, input.type)) return [];
  const { statement, bridge } = mismatch(catalog, source, output, target, input);
  const remedy = bridge ? { insert: [bridge] } : undefined;
  const place = { node: link.to.node, port: link.to.port, remedy };
  return [problemOf(PORT_TYPE_MISMATCH, statement, place)];
}

function titleById(id: string, document: PipelineDocument, catalog: Catalog): string {
  const node = findNode(document, id);
  return node ? titleAmong(document.nodes, node, catalog) : id;
}

function cycleProblem(
  ids: readonly string[],
  document: PipelineDocument,
  catalog: Catalog,
): Problem {
  const way = ids.map((id) => titleById(id, document, catalog));
  const shown = way.length > 10 ? [...way.slice(0, 10), "..."] : [...way, ...way.slice(0, 1)];
  const place = ids[0] === undefined ? {} : { node: ids[0] };
  return problemOf(PIPELINE_HAS_CYCLE, about(say.CIRCLE, { way: shown.join(" -> ") }), place);
}
