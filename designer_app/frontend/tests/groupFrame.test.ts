/** The frame of a group contains the previews of its nodes. */

import { expect, test } from "vitest";

import { flowNodes, groupName } from "../src/canvas/flowElements";
import { groupNodes } from "../src/graph/annotations";
import { setCollapsed } from "../src/graph/edits";
import { PREVIEW_DEPTH } from "../src/graph/layout/geometry";
import type { PipelineDocument } from "../src/graph/types";
import { MODULES, pipeline } from "./cases";

const selection = { nodes: [], links: [], notes: [], groups: [] };

/** Distance of the frame's lower edge from that of the only node in it. */
function spaceBelow(document: PipelineDocument): number {
  const grouped = groupNodes(document, ["only"]);
  const nodes = flowNodes({ document: grouped, catalog: MODULES, selection, moved: new Map() });
  const bottomOf = (id: string): number => {
    const node = nodes.find((one) => one.id === id);
    return (node?.position.y ?? NaN) + (node?.height ?? NaN);
  };
  return bottomOf(groupName("group")) - bottomOf("only");
}

test("a frame has space for previews, not below nodes that have none", () => {
  const images = pipeline(["only:convert_to_image_directory"], []);
  expect(spaceBelow(images)).toBeGreaterThan(PREVIEW_DEPTH);
  const without = spaceBelow(pipeline(["only:train_pytorch_model"], []));
  expect(without).toBeLessThan(PREVIEW_DEPTH);
  expect(spaceBelow(setCollapsed(images, ["only"], true))).toBe(without);
});
