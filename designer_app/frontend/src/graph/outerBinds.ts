/** Outer parameters that reach into a sub-pipeline, as parameters of the document shown inside.
 * Edits inside, of a value or of the nodes, therefore update them. Parameters that enter through
 * another node of the same sub-pipeline are included, but give no value here. */

import { halves, nodeAt } from "./binds";
import { PREFIX } from "./definitions";
import { isWithin } from "./paths";
import type { Definition, PipelineDocument, PipelineParameter } from "./types";

const OUTER = "@";
const ELSEWHERE = "@@";

/** Return true for a parameter of an enclosing document. */
export function isOuter(id: string): boolean {
  return id.startsWith(OUTER);
}

/** Return true for a parameter that sets no value at the shown place. */
export function isElsewhere(id: string): boolean {
  return id.startsWith(ELSEWHERE);
}

interface Reach {
  /** Id of the definition with the parameter; undefined for the pipeline. */
  readonly holder: string | undefined;
  readonly parameter: PipelineParameter;
  /** Path from there to the node of the sub-pipeline. */
  readonly through: string;
  readonly binds: readonly string[];
  readonly shown: PipelineParameter;
}

/** Return the outer parameters that reach into a definition shown at a place. */
export function outerParameters(
  whole: PipelineDocument,
  definition: Definition,
  place: string,
): readonly PipelineParameter[] {
  return reaching(whole, definition, place).map(({ shown }) => shown);
}

function reaching(whole: PipelineDocument, { id }: Definition, place: string): readonly Reach[] {
  const { definitions = [] } = whole;
  const reaches: Reach[] = [];
  for (const holder of [undefined, ...definitions]) {
    const { nodes, parameters = [] } = holder ?? whole;
    for (const parameter of parameters) {
      for (const [through, binds] of byEntry({ nodes, definitions }, parameter, id)) {
        const isHere = leadsTo(whole, place, through, holder?.id);
        const shown = {
          ...parameter,
          id: `${isHere ? OUTER : ELSEWHERE}${reaches.length}`,
          binds: binds.map((bind) => place + bind.slice(through.length)),
        };
        reaches.push({ holder: holder?.id, parameter, through, binds, shown });
      }
    }
  }
  return reaches;
}

/** Return the binds that lead into a definition, by the node through which they enter. */
function byEntry(
  holding: Pick<PipelineDocument, "nodes" | "definitions">,
  { binds }: PipelineParameter,
  definition: string,
): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, string[]>();
  for (const bind of binds) {
    const [path] = halves(bind);
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      const around = path.slice(0, end);
      if (nodeAt(holding, around)?.module !== PREFIX + definition) continue;
      entries.set(around, [...(entries.get(around) ?? []), bind]);
    }
  }
  return entries;
}

/** Return true if a path leads to a place: from the pipeline, or from an enclosing definition. */
function leadsTo(
  whole: PipelineDocument,
  place: string,
  path: string,
  holder: string | undefined,
): boolean {
  if (holder === undefined) return place === path;
  const around = place.slice(0, -path.length - 1);
  return place === `${around}/${path}` && nodeAt(whole, around)?.module === PREFIX + holder;
}

/** Return the whole document with the changed outer parameters; `after` is the edited definition. */
export function withOuterParameters(
  whole: PipelineDocument,
  before: PipelineDocument,
  after: Definition,
  place: string,
  shown: readonly PipelineParameter[],
): PipelineDocument {
  return reaching(before, after, place).reduce((document, reach) => {
    const now = shown.find((parameter) => parameter.id === reach.shown.id);
    const binds = (now?.binds ?? [])
      .map((bind) => bind.slice(place.length + 1))
      .filter((bind) => after.nodes.some(({ id }) => isWithin(halves(bind)[0], id)))
      .map((bind) => outward(bind, reach.through, after));
    const change = (parameter: PipelineParameter): readonly PipelineParameter[] =>
      parameter.id === reach.parameter.id ? changed(parameter, reach, now, binds) : [parameter];
    return inHolder(document, reach.holder, change);
  }, whole);
}

/** Return the bind that leads to an inner node, or to the sub-pipeline's parameter that now sets
 * it. */
function outward(rest: string, through: string, { parameters }: Definition): string {
  const own = parameters.find((parameter) => parameter.binds.includes(rest));
  return own ? `${through}.${own.id}` : `${through}/${rest}`;
}

/** Apply an edit made inside; a parameter whose last bind was removed there is removed. */
function changed(
  parameter: PipelineParameter,
  reach: Reach,
  now: PipelineParameter | undefined,
  binds: readonly string[],
): readonly PipelineParameter[] {
  const there = parameter.binds.flatMap((bind) => {
    if (!reach.binds.includes(bind)) return [bind];
    return bind === reach.binds[0] ? binds : [];
  });
  if (!now && !there.length) return [];
  const isNew = now !== undefined && now.default !== reach.shown.default;
  return [{ ...parameter, binds: there, default: isNew ? now.default : parameter.default }];
}

function inHolder(
  document: PipelineDocument,
  holder: string | undefined,
  change: (parameter: PipelineParameter) => readonly PipelineParameter[],
): PipelineDocument {
  const { parameters = [], definitions = [], ...rest } = document;
  if (holder === undefined) {
    const kept = parameters.flatMap(change);
    return { ...rest, ...(kept.length && { parameters: kept }), definitions };
  }
  const present = definitions.map((definition) =>
    definition.id === holder
      ? { ...definition, parameters: definition.parameters.flatMap(change) }
      : definition,
  );
  return { ...document, definitions: present };
}
