import { describe, expect, it } from "vitest";

import { modelsForNodes, parametersOfModel } from "../src/graph/registeredModels";

const trained = (version: number) => ({ version, module: "registered_model" });
const exported = (version: number) => ({ version, module: "onnx_model" });
const written = (version: number) => ({ version, module: null });

describe("models offered in the palette", () => {
  it("are the newest trained version and the aliases of trained versions", () => {
    const shapes = {
      name: "shapes",
      aliases: { best: 1, theirs: 3 },
      versions: [trained(1), trained(2), written(3)],
    };
    const module = "registered_model";
    expect(modelsForNodes([shapes])).toEqual([
      { model: "shapes@2", module },
      { model: "shapes@best", module },
    ]);
  });

  it("are empty if only scripts created versions", () => {
    const own = { name: "own", aliases: { best: 1 }, versions: [written(1)] };
    expect(modelsForNodes([own])).toEqual([]);
  });

  it("are ONNX models, too, which another node outputs", () => {
    const mixed = { name: "m", aliases: { best: 1 }, versions: [trained(1), exported(2)] };
    const [newest, best] = modelsForNodes([mixed]);
    expect([newest?.module, best?.module]).toEqual(["onnx_model", "registered_model"]);
    expect(newest && parametersOfModel(newest)).toEqual({ source: "the registry", model: "m@2" });
    expect(best && parametersOfModel(best)).toEqual({ model: "m@best" });
  });
});
