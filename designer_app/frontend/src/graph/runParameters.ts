/** Parameters that can be set before a run: those of the pipeline and of its sub-pipelines. */

import type { Catalog } from "./catalog";
import { definitionOf } from "./definitions";
import { setParameter } from "./edits";
import { valueOf } from "./parameters";
import { changeParameter, givenBy, placesOf, specAt } from "./pipelineParameters";
import { titleAmong } from "./titles";
import type { JsonValue, ParameterSpec, PipelineDocument, PipelineNode } from "./types";

export interface RunParameter {
  /** `epochs` of the pipeline; `front.epochs` of the sub-pipeline of a node. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly spec: ParameterSpec;
  readonly value: JsonValue;
  /** Parameters of nodes that it sets, such as `train.epochs`. */
  readonly binds: readonly string[];
  /** Nodes and parameters at which the value is executed as code. */
  readonly running: readonly (readonly [string, ...string[]])[];
  readonly set: (document: PipelineDocument, next: JsonValue) => PipelineDocument;
}

export interface RunParameters {
  /** Title of the sub-pipeline's node; empty for the pipeline's own. */
  readonly title: string;
  readonly parameters: readonly RunParameter[];
}

/** Return the parameters of the pipeline (`whole`) and its sub-pipelines; those without any are
 * left out. */
export function runParameters(whole: PipelineDocument, catalog: Catalog): readonly RunParameters[] {
  const groups = whole.nodes
    .filter(({ module }) => definitionOf(whole, module))
    .map((node) => ({
      title: titleAmong(whole.nodes, node, catalog),
      parameters: parametersOf(whole, node, catalog),
    }));
  const all = [{ title: "", parameters: ownParameters(whole, catalog) }, ...groups];
  return all.filter(({ parameters }) => parameters.length > 0);
}

function ownParameters(whole: PipelineDocument, catalog: Catalog): readonly RunParameter[] {
  return (whole.parameters ?? []).flatMap((parameter) => {
    const { id, description } = parameter;
    const spec = specAt(whole, catalog, parameter.binds[0]);
    if (!spec) return [];
    return {
      id,
      title: parameter.title || spec.title || id,
      description,
      spec,
      value: parameter.default,
      binds: parameter.binds,
      running: placesOf(whole, catalog, parameter),
      set: (document, next) => changeParameter(document, id, { default: next }),
    };
  });
}

/** Return the parameters of a sub-pipeline, except those that the pipeline sets. */
function parametersOf(
  whole: PipelineDocument,
  node: PipelineNode,
  catalog: Catalog,
): readonly RunParameter[] {
  const specs = catalog.byId.get(node.module)?.parameters ?? [];
  return specs
    .filter((spec) => !givenBy(whole, node.id, spec.id))
    .map((spec) => ({
      id: `${node.id}.${spec.id}`,
      title: spec.title ?? spec.id,
      description: spec.help ?? "",
      spec,
      value: valueOf(spec, node, whole.settings),
      binds: [`${node.id}.${spec.id}`],
      running: spec.runs ? [[node.id, spec.id]] : [],
      set: (document, next) => setParameter(document, catalog, node.id, spec.id, next),
    }));
}
