/** Differences of a pipeline from another one, as a list and as marks on the canvas. */

import type { Catalog } from "./catalog";
import { inputOf } from "./catalog";
import { definitionOf } from "./definitions";
import { type Box, nodeSize, portPlaceOn } from "./layout/geometry";
import { overlap } from "./layout/unplaced";
import { endKey } from "./lookup";
import { withOwnModules } from "./ownModules";
import { definitionAt, everyNode } from "./places";
import { titleOf } from "./search";
import { titleAmong } from "./titles";
import { order } from "./traversal";
import type {
  GraphDifference,
  Link,
  PipelineDifference,
  PipelineDocument,
  PipelineNode,
  Position,
  Side,
} from "./types";
import { t } from "./translate";

export type DifferenceKind = "added" | "changed" | "removed" | "moved";

/** One entry of the list. */
export interface Difference {
  readonly key: string;
  readonly kind: DifferenceKind;
  /** Sub-pipeline that contains it; null for the pipeline itself. */
  readonly definition: string | null;
  /** Nodes to show, by their ids in that part; none for settings. */
  readonly nodes: readonly string[];
  readonly title: string;
  /** Changes as text: "Epochs: 4 → 8". */
  readonly texts: readonly string[];
}

/** Mark of a node on the canvas. */
export interface NodeMark {
  readonly kind: DifferenceKind;
  readonly texts: readonly string[];
}

/** Node that only the baseline has, where the canvas shows it. */
export interface Ghost extends Box {
  /** Id on the canvas. */
  readonly id: string;
  readonly title: string;
}

/** Marks on the part of the pipeline that the canvas shows. */
export interface Marks {
  /** By id on the canvas. */
  readonly nodes: ReadonlyMap<string, NodeMark>;
  /** Ids of added wires. */
  readonly wires: readonly string[];
  readonly ghosts: readonly Ghost[];
  /** Ends of removed wires, in pixels of the document. */
  readonly lostWires: readonly {
    readonly key: string;
    readonly ends: readonly [Position, Position];
  }[];
}

/** Distance of removed nodes from the nodes above, if they would cover some. */
const MARGIN = 48;

type Part = Pick<PipelineDocument, "nodes" | "links">;

/** Sign of each kind, on the canvas and in the list. */
export const SIGNS: Readonly<Record<DifferenceKind, string>> = {
  added: "+",
  changed: "~",
  removed: "−",
  moved: "↔",
};

export const kindWords = (kind: DifferenceKind): string =>
  ({ added: t("added"), changed: t("changed"), removed: t("removed"), moved: t("moved") })[kind];

/** Return all differences in the order in which they are visited: those of the pipeline in the order
 * of its nodes, then those in sub-pipelines; what only moved comes last. */
export function differencesOf(
  difference: PipelineDifference,
  whole: PipelineDocument,
  catalog: Catalog,
): readonly Difference[] {
  const { baseline, graph, inside } = difference;
  const known = withModulesOf(baseline, catalog);
  const parts = [
    differencesIn(null, graph, baseline, whole, whole, known),
    ...Object.entries(inside).map(([id, part]) => {
      const was = baseline.definitions?.find((definition) => definition.id === id);
      const is = whole.definitions?.find((definition) => definition.id === id);
      return was && is ? differencesIn(id, part, was, is, whole, known) : [];
    }),
  ].flat();
  return [
    ...parts.filter(({ kind }) => kind !== "moved"),
    ...parts.filter(({ kind }) => kind === "moved"),
  ];
}

/** Return the catalog with the sub-pipelines of the baseline, which removed nodes may need. */
function withModulesOf(baseline: PipelineDocument, catalog: Catalog): Catalog {
  if (!baseline.definitions?.length) return catalog;
  const byId = new Map([...withOwnModules(catalog, baseline).byId, ...catalog.byId]);
  return { ...catalog, byId };
}

function differencesIn(
  definition: string | null,
  graph: GraphDifference,
  was: Part,
  is: Part & { readonly title?: string },
  whole: PipelineDocument,
  catalog: Catalog,
): readonly Difference[] {
  const around = definition === null ? "" : `${is.title || definition} / `;
  const key = (name: string): string => `${definition ?? ""}:${name}`;
  const nodes = [...is.nodes, ...was.nodes.filter(({ id }) => graph.removed.includes(id))];
  const titles = new Map(nodes.map((node) => [node.id, titleAmong(nodes, node, catalog)]));
  const entry = (kind: DifferenceKind, id: string, texts: readonly string[]): Difference => ({
    key: key(id),
    kind,
    definition,
    nodes: [id],
    title: `${around}${titles.get(id) ?? id}`,
    texts,
  });
  const added = new Set(graph.added);
  const ordered =
    order({ ...whole, nodes: is.nodes, links: is.links }) ?? is.nodes.map((n) => n.id);
  const present = ordered.flatMap((id) => {
    const [changed, moved] = [graph.changed[id], graph.moved[id]];
    if (added.has(id)) return [entry("added", id, [])];
    if (changed) return [entry("changed", id, changed)];
    const looks = moved?.filter((text) => text !== kindWords("moved"));
    return looks ? [entry("moved", id, looks)] : [];
  });
  const common = new Set(is.nodes.map(({ id }) => id).filter((id) => !added.has(id)));
  const wire = (kind: DifferenceKind, link: Link): readonly Difference[] => {
    const ends = [link.from.node, link.to.node];
    if (!ends.every((id) => common.has(id))) return []; // the node itself is the difference
    const [source, target] = ends.map((id) => titles.get(id) ?? id);
    const node = is.nodes.find(({ id }) => id === link.to.node);
    const module = node && catalog.byId.get(node.module);
    const port = (module && inputOf(module, link.to.port)?.title) ?? link.to.port;
    return [
      {
        key: key(`${kind} ${endKey(link.from)}>${endKey(link.to)}`),
        kind,
        definition,
        nodes: ends,
        title: `${around}${t("Wire from {source} to {target}", { source: source ?? "", target: target ?? "" })}`,
        texts: [port],
      },
    ];
  };
  const settings: readonly Difference[] =
    graph.others.length === 0
      ? []
      : [
          {
            key: key("settings"),
            kind: "changed",
            definition,
            nodes: [],
            title: definition === null ? t("Pipeline") : is.title || definition,
            texts: graph.others,
          },
        ];
  return [
    ...settings,
    ...present,
    ...graph.removed.map((id) => entry("removed", id, [])),
    ...graph.added_links.flatMap((link) => wire("added", link)),
    ...graph.removed_links.flatMap((link) => wire("removed", link)),
  ];
}

/** Return a place at which the canvas shows a sub-pipeline; undefined if no node uses it. */
export function placeOfDefinition(
  whole: PipelineDocument,
  catalog: Catalog,
  definition: string | null,
): string | undefined {
  if (definition === null) return "";
  const user = everyNode(whole)(catalog).find(
    ({ node }) => definitionOf(whole, node.module)?.id === definition,
  );
  return user?.path;
}

const NO_MARKS: Marks = { nodes: new Map(), wires: [], ghosts: [], lostWires: [] };

/** Return the marks on the canvas of a place; `shown` is its document, with paths as ids. */
export function marksAt(
  difference: PipelineDifference,
  whole: PipelineDocument,
  place: string,
  shown: PipelineDocument,
  catalog: Catalog,
): Marks {
  const definition = place ? definitionAt(whole, place)?.id : null;
  const graph = definition === null ? difference.graph : difference.inside[definition ?? ""];
  const was =
    definition === null
      ? difference.baseline
      : difference.baseline.definitions?.find(({ id }) => id === definition);
  if (!graph || !was) return NO_MARKS;
  const prefix = place ? `${place}/` : "";
  const name = (id: string): string => `${prefix}${id}`;
  const nodes = new Map<string, NodeMark>([
    ...graph.added.map((id) => [name(id), { kind: "added" as const, texts: [] }] as const),
    ...marked("changed", graph.changed, name),
    ...marked("moved", graph.moved, name),
  ]);
  const known = withModulesOf(difference.baseline, catalog);
  const ghosts = ghostsOf(was, graph.removed, shown, known, name);
  return {
    nodes,
    wires: graph.added_links.map(({ to }) => `${name(to.node)}.${to.port}`),
    ghosts,
    lostWires: graph.removed_links.flatMap((link) => {
      const from = portAt(link.from.node, "output", link.from.port);
      const to = portAt(link.to.node, "input", link.to.port);
      const key = `${endKey(link.from)}>${endKey(link.to)}`;
      return from && to ? [{ key, ends: [from, to] as const }] : [];
    }),
  };

  /** Position of a port, on the canvas or on a removed node. */
  function portAt(id: string, side: Side, port: string): Position | undefined {
    const node =
      shown.nodes.find((one) => one.id === name(id)) ?? was?.nodes.find((one) => one.id === id);
    if (!node) return undefined;
    const module = known.byId.get(node.module);
    const index = module?.[`${side}s`].findIndex((one) => one.id === port) ?? 0;
    const corner = ghosts.find((ghost) => ghost.id === name(id)) ?? node.position;
    const { x, y } = portPlaceOn(node, module, side, Math.max(0, index));
    return { x: corner.x + x, y: corner.y + y };
  }
}

function marked(
  kind: DifferenceKind,
  texts: Readonly<Record<string, readonly string[]>>,
  name: (id: string) => string,
): readonly (readonly [string, NodeMark])[] {
  return Object.entries(texts).map(([id, words]) => [name(id), { kind, texts: words }]);
}

/** Return the removed nodes at their former positions; all below the others if one covered one. */
function ghostsOf(
  was: Part,
  removed: readonly string[],
  shown: PipelineDocument,
  catalog: Catalog,
  name: (id: string) => string,
): readonly Ghost[] {
  const gone = was.nodes.filter(({ id }) => removed.includes(id));
  const boxes = shown.nodes.map((node) => boxOf(node, catalog));
  const ghosts = gone.map((node) => ({
    ...boxOf(node, catalog),
    id: name(node.id),
    title: titleOf(node, catalog),
  }));
  if (!ghosts.some((ghost) => boxes.some((box) => overlap(ghost, box)))) return ghosts;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  const drop = bottom + MARGIN - Math.min(...ghosts.map(({ y }) => y));
  return ghosts.map((ghost) => ({ ...ghost, y: ghost.y + drop }));
}

export function boxOf(node: PipelineNode, catalog: Catalog): Box {
  const { x, y } = node.position;
  return { x, y, ...nodeSize(node, catalog.byId.get(node.module)) };
}
