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

/** The modules of the product, as `GET /catalog` lists them. */
export const MODULES = makeCatalog(load<CatalogSpec>("builtin_catalog.json"));

/** A ready-made pipeline of the product. */
export function lesson(slug: string): PipelineDocument {
  const path = new URL(`../../../../pipelines/lessons/library/${slug}.json`, import.meta.url);
  return documentOf(JSON.parse(readFileSync(path, "utf8")));
}

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
