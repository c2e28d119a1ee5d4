/** Binds of a document's parameters after one of its sub-pipelines is unpacked. */

import { halves } from "./binds";
import { freshId } from "./edits";
import { isWithin, outermost } from "./paths";
import type { Definition, PipelineDocument, PipelineNode, PipelineParameter } from "./types";

/** Return the document's parameters, and those of the sub-pipeline that reach deeper; `names`: new
 * node ids. */
export function parametersAround(
  { parameters = [] }: PipelineDocument,
  node: PipelineNode,
  definition: Definition,
  names: ReadonlyMap<string, string>,
): Pick<PipelineDocument, "parameters"> {
  const bound = parameters.map((parameter) => rebound(parameter, node.id, definition, names));
  const all = [...bound, ...reachingFurther(parameters, node, definition, names)];
  return all.length ? { parameters: all } : {};
}

function rebound(
  parameter: PipelineParameter,
  id: string,
  definition: Definition,
  names: ReadonlyMap<string, string>,
): PipelineParameter {
  const binds = parameter.binds.flatMap((bind) => {
    const [path, name] = halves(bind);
    if (!isWithin(path, id)) return [bind];
    if (path !== id) return outsideBind(bind.slice(id.length + 1), names);
    const inner = definition.parameters.find((parameter) => parameter.id === name);
    return (inner?.binds ?? []).flatMap((bind) => outsideBind(bind, names));
  });
  return { ...parameter, binds };
}

/** Return parameters bound to nodes further inside, with their values: no unpacked node has them. */
function reachingFurther(
  parameters: readonly PipelineParameter[],
  { id, parameters: values }: PipelineNode,
  definition: Definition,
  names: ReadonlyMap<string, string>,
): readonly PipelineParameter[] {
  const bound = new Set(parameters.flatMap((parameter) => parameter.binds));
  const added: PipelineParameter[] = [];
  for (const own of definition.parameters) {
    const deep = own.binds.filter((bind) => bind.includes("/"));
    const binds = deep.flatMap((bind) => outsideBind(bind, names));
    if (!binds.length || bound.has(`${id}.${own.id}`)) continue;
    const name = freshId([...parameters, ...added], own.id);
    const value = values[own.id];
    added.push({ ...own, id: name, default: value === undefined ? own.default : value, binds });
  }
  return added;
}

/** Return the binds outside for a bind inside a sub-pipeline; none if it leads nowhere. */
function outsideBind(bind: string, names: ReadonlyMap<string, string>): readonly string[] {
  const first = outermost(halves(bind)[0]);
  const outer = names.get(first);
  return outer === undefined ? [] : [outer + bind.slice(first.length)];
}
