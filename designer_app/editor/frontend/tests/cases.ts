/** The cases that Python and TypeScript share, and documents in short. */

import { readFileSync } from "node:fs";

import { makeCatalog } from "../src/graph/catalog";
import type { CatalogSpec, PipelineDocument } from "../src/graph/types";
import { documentOf } from "./documents";

export function load<Content>(name: string): Content {
  const path = new URL(`../../../../tests/cases/${name}`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf8")) as Content;
}

export const CATALOG = makeCatalog(load<CatalogSpec>("toy_catalog.json"));

/** Nodes as `id:module` or `id`, links as `a.output -> b.a`. */
export function pipeline(
  nodes: readonly string[],
  links: readonly string[] = [],
): PipelineDocument {
  return documentOf({
    format: "pipeline-designer/2",
    id: "sums",
    nodes: nodes.map((each) => {
      const [id, module] = each.split(":");
      return { id, module: module ?? id };
    }),
    links: links.map((each) => {
      const [from, to] = each.split(" -> ").map((end) => {
        const [node, port] = end.split(".");
        return { node, port };
      });
      return { from, to };
    }),
  });
}
