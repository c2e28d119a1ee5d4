/** Summary of a node, for its footer and the outline. */

import { isChanged, textOf, visibleParameters } from "./parameters";
import type { JsonValue, ModuleSpec, ParameterSpec, PipelineNode } from "./types";
import { t } from "./translate";

const MOST = 3;

/**
 * "epochs 2 · batch size 32": values that differ from the default and are not shown by ports; else
 * the purpose of the module.
 */
export function nodeSummary(node: PipelineNode, module: ModuleSpec | undefined): string {
  if (!module) return t("Module not installed");
  const isOnPort = ({ id }: ParameterSpec): boolean =>
    module.outputs.some(({ share }) => share?.parameter === id);
  const changed = visibleParameters(module, node).filter(
    (parameter) => isChanged(parameter, node) && !isOnPort(parameter),
  );
  if (changed.length === 0) return module.summary;
  const said = changed
    .slice(0, MOST)
    .map((parameter) => settingWords(parameter, node.parameters[parameter.id] ?? null));
  const rest = changed.length > MOST ? ` +${changed.length - MOST}` : "";
  return said.join(" · ") + rest;
}

function settingWords(parameter: ParameterSpec, value: JsonValue): string {
  const name = (parameter.title ?? parameter.id).toLowerCase();
  if (value === true) return name;
  if (value === false) return t("{name} off", { name });
  if (typeof value === "string" && parameter.type === "string" && value !== "") {
    const lines = parameter.code ? value.trim().split("\n").length : 1;
    // The first characters of code that would fit do not describe it
    return lines > 1 ? t("{name}, {lines} lines", { name, lines }) : value;
  }
  return `${name} ${textOf(value)}`;
}
