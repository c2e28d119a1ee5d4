/** Labels of ports on the canvas: their purpose and share of the images. */

import { valueOf } from "./parameters";
import type { ModuleSpec, PipelineNode, PortSpec } from "./types";

/** "trained model", "first part 80 %"; the title of the port has the full text. */
export function portLabel(port: PortSpec, node: PipelineNode, module: ModuleSpec): string {
  return [port.label, shareOf(port, node, module)].join(" ").trim();
}

/** "Convert · images", "Train 2 · trained model": short name of an output, for the tabs of its
 * wires; `twin` is the number of a node among those with the same title. */
export function outputName(
  node: PipelineNode,
  port: PortSpec,
  module: ModuleSpec,
  twin: number | undefined,
): string {
  const title = node.title ?? module.title.split(" ")[0];
  const owner = [title, twin].filter((part) => part !== undefined).join(" ");
  return `${owner} · ${portLabel(port, node, module)}`;
}

/** Return the share of images at the port: "80 %"; empty if unknown. */
function shareOf({ share }: PortSpec, node: PipelineNode, module: ModuleSpec): string {
  const parameter = module.parameters.find(({ id }) => id === share?.parameter);
  const part = parameter && valueOf(parameter, node);
  if (!share || typeof part !== "number" || part < 0 || part > 1) return "";
  const percent = 100 * (share.is_rest ? 1 - part : part);
  return `${String(Math.round(10 * percent) / 10)} %`;
}
