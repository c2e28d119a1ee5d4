/** Name of a node's port in a message. */

import { type Catalog, inputOf, outputOf } from "./catalog";
import { findNode } from "./lookup";
import { PORT_OF } from "./sentences/insertions.gen";
import { type Statement, about } from "./sentences/sentence";
import { titleAmong } from "./titles";
import type { Endpoint, PipelineDocument } from "./types";

/** "Score Image Model's dataset": a port within a sentence. */
export function portOf(document: PipelineDocument, catalog: Catalog, end: Endpoint): Statement {
  const node = findNode(document, end.node);
  const module = node && catalog.byId.get(node.module);
  const port = module && (inputOf(module, end.port) ?? outputOf(module, end.port));
  const title = node ? titleAmong(document.nodes, node, catalog) : end.node;
  return about(PORT_OF, { node: title, port: port?.label ?? end.port });
}
