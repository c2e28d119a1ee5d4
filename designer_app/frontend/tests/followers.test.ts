/** Parameters that follow another, and labels of ports. */

import { describe, expect, it } from "vitest";

import { makeCatalog } from "../src/graph/catalog";
import { addNode, setParameter } from "../src/graph/edits";
import { followersOf, isFollowing, setLeading } from "../src/graph/followers";
import { nodeOf } from "../src/graph/edits";
import { emptyFor } from "../src/graph/madeWith";
import { portLabel } from "../src/graph/portLabels";
import type { ModuleSpec, ParameterSpec, PipelineDocument, PortSpec } from "../src/graph/types";
import { CATALOG, load, pipeline } from "./cases";
import type { CatalogSpec } from "../src/graph/types";

const toy = load<CatalogSpec>("toy_catalog.json");
const [constant] = CATALOG.modules;
if (!constant) throw new Error("The toy catalog is empty.");
const [value] = constant.parameters;
if (!value) throw new Error("A constant has a value.");

const size: ParameterSpec = { ...value, id: "size", title: "Size", type: "integer", default: 256 };
const crop: ParameterSpec = {
  ...size,
  id: "crop",
  title: "Crop size",
  default: 224,
  follows: { parameter: "size", together: "Image size" },
};
const module: ModuleSpec = { ...constant, id: "resize", parameters: [size, crop] };
const catalog = makeCatalog({ ...toy, modules: [...toy.modules, module] });

function resized(...sizes: readonly (readonly [string, number])[]): PipelineDocument {
  return sizes.reduce(
    (document, [name, number]) => setParameter(document, catalog, "resize", name, number),
    addNode(pipeline([]), catalog, "resize"),
  );
}

const isOne = (document: PipelineDocument): boolean =>
  isFollowing(module, nodeOf(document, "resize"), crop);
const cropOf = (document: PipelineDocument): unknown =>
  nodeOf(document, "resize").parameters["crop"];

describe("a crop", () => {
  it("follows the size from the default on", () => {
    const changed = setLeading(resized(), catalog, "resize", "size", 64);
    expect(cropOf(changed)).toBe(64);
    expect(isOne(changed)).toBe(true);
    expect(cropOf(setLeading(changed, catalog, "resize", "size", 96))).toBe(96);
  });

  it("keeps its own value", () => {
    const apart = resized(["size", 96], ["crop", 64]);
    expect(isOne(apart)).toBe(false);
    expect(followersOf(module, nodeOf(apart, "resize"), size)).toEqual([]);
    expect(cropOf(setLeading(apart, catalog, "resize", "size", 128))).toBe(64);
  });

  it("does not change the parameter that it follows", () => {
    const changed = setLeading(resized(["size", 64], ["crop", 64]), catalog, "resize", "crop", 32);
    expect(nodeOf(changed, "resize").parameters).toEqual({ size: 64, crop: 32 });
  });
});

describe("the label of a port", () => {
  const [output] = constant.outputs;
  if (!output) throw new Error("A constant has an output.");
  const port = (is_rest: boolean): PortSpec => ({
    ...output,
    label: is_rest ? "second part" : "first part",
    share: { parameter: "value", is_rest },
  });
  const node = nodeOf(
    setParameter(pipeline(["constant"]), CATALOG, "constant", "value", 0.85),
    "constant",
  );

  it("shows the share of images", () => {
    expect(portLabel(port(false), node, constant)).toBe("first part 85 %");
    expect(portLabel(port(true), node, constant)).toBe("second part 15 %");
    expect(portLabel(output, node, constant)).toBe("output");
  });

  it("does not show an invalid share", () => {
    const wrong = { ...node, parameters: { value: 7 } };
    expect(portLabel(port(false), wrong, constant)).toBe("first part");
  });
});

describe("an output that depends on a parameter", () => {
  const file: ParameterSpec = { ...value, id: "model_file", title: "Model file", default: "m.pt" };
  const script: ModuleSpec = { ...constant, parameters: [file] };
  const [plain] = constant.outputs;
  if (!plain) throw new Error("A constant has an output.");
  const made: PortSpec = { ...plain, made_with: "model_file" };
  const node = nodeOf(addNode(pipeline([]), catalog, "constant"), "constant");
  const withFile = (model_file: string | null) => ({ ...node, parameters: { model_file } });

  it("is empty only if that parameter is empty", () => {
    expect(emptyFor(made, withFile(null), script)?.title).toBe("Model file");
    expect(emptyFor(made, { ...node, parameters: {} }, script)).toBeUndefined();
    expect(emptyFor(made, withFile("other.pt"), script)).toBeUndefined();
    expect(emptyFor(plain, withFile(null), script)).toBeUndefined();
  });
});
