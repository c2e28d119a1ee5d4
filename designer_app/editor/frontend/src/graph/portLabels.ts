/** Label of a port on the canvas: its purpose, and the share of the images. */

import { valueOf } from "./parameters";
import type { ModuleSpec, PipelineNode, PortSpec } from "./types";

/** "trained model", "first part 80 %"; the port's title says it in full. */
export function portLabel(port: PortSpec, node: PipelineNode, module: ModuleSpec): string {
  return [port.label, shareOf(port, node, module)].join(" ").trim();
}

/** The part of the images that leaves by the port: "80 %"; empty where nothing says so. */
function shareOf({ share }: PortSpec, node: PipelineNode, module: ModuleSpec): string {
  const parameter = module.parameters.find(({ id }) => id === share?.parameter);
  const part = parameter && valueOf(parameter, node);
  if (!share || typeof part !== "number" || part < 0 || part > 1) return "";
  const percent = 100 * (share.is_rest ? 1 - part : part);
  return `${String(Math.round(10 * percent) / 10)} %`;
}
