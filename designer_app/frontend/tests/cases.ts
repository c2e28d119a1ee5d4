/** Cases that Python and TypeScript share, and documents in a short notation. */

import { readFileSync } from "node:fs";

import { makeCatalog } from "../src/graph/catalog";
import type { CatalogSpec, PipelineDocument } from "../src/graph/types";
import { documentOf } from "./documents";

export function load<Content>(name: string): Content {
  const path = new URL(`../../../tests/cases/${name}`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf8")) as Content;
}

export const CATALOG = makeCatalog(load<CatalogSpec>("toy_catalog.json"));

/** Modules of the product, as `GET /catalog` lists them. */
export const MODULES = makeCatalog(load<CatalogSpec>("builtin_catalog.json"));

/** Folder of the lessons' documents. */
export const LIBRARY = new URL("../../../pipelines/lessons/library/", import.meta.url);

/** Load a ready-made pipeline of the product. */
export function lesson(slug: string): PipelineDocument {
  const path = new URL(`${slug}.json`, LIBRARY);
  return documentOf(JSON.parse(readFileSync(path, "utf8")));
}

/** Make a document of nodes as `id:module` or `id` and links as `a.output -> b.a`. */
export function pipeline(
  nodes: readonly string[],
  links: readonly string[] = [],
): PipelineDocument {
  return documentOf({
    format: "pipeline-designer/2",
    id: "sums",
    nodes: nodes.map((node) => {
      const [id, module] = node.split(":");
      return { id, module: module ?? id };
    }),
    links: links.map((link) => {
      const [from, to] = link.split(" -> ").map((end) => {
        const [node, port] = end.split(".");
        return { node, port };
      });
      return { from, to };
    }),
  });
}
