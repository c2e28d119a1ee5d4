/** Space for an inserted node: its successors move to the right. */

import { moveNodes } from "../edits";
import { NODE_GAP, NODE_WIDTH } from "./geometry";
import { findNode, linksFrom, linksInto } from "../lookup";
import { downstream } from "../traversal";
import type { PipelineDocument, Position } from "../types";

/** Place the added node next to its source, and move its successors right as far as needed. */
export function makeRoom(document: PipelineDocument, id: string): PipelineDocument {
  const node = findNode(document, id);
  if (!node) return document;
  const xOf = (other: string): number => findNode(document, other)?.position.x ?? 0;
  const before = linksInto(document, id).map((link) => xOf(link.from.node));
  const after = linksFrom(document, id).map((link) => xOf(link.to.node));
  const [first, next] = [Math.max(...before), Math.min(...after)];
  // a wire that runs to the left does so for a reason: nothing is moved
  if (before.length === 0 || after.length === 0 || first >= next) return document;
  const x = Math.max(node.position.x, first + NODE_WIDTH + NODE_GAP);
  const shift = Math.max(0, x + NODE_WIDTH + NODE_GAP - next);
  const places = new Map<string, Position>([[id, { x, y: node.position.y }]]);
  for (const downstreamId of downstream(document, [id])) {
    const follower = findNode(document, downstreamId);
    if (!follower || downstreamId === id || shift === 0) continue;
    places.set(downstreamId, { x: follower.position.x + shift, y: follower.position.y });
  }
  return moveNodes(document, places);
}
