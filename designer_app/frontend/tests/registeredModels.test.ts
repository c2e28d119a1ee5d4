import { describe, expect, it } from "vitest";

import { referencesToPlace } from "../src/graph/registeredModels";

const trained = (version: number) => ({ version, type: "TrainedModel" });
const written = (version: number) => ({ version, type: "ForeignModel" });

describe("models offered in the palette", () => {
  it("are the newest trained version and the aliases of trained versions", () => {
    const shapes = {
      name: "shapes",
      aliases: { best: 1, theirs: 3 },
      versions: [trained(1), trained(2), written(3)],
    };
    expect(referencesToPlace([shapes])).toEqual(["shapes@2", "shapes@best"]);
  });

  it("are empty if only scripts created versions", () => {
    const own = { name: "own", aliases: { best: 1 }, versions: [written(1)] };
    expect(referencesToPlace([own])).toEqual([]);
  });
});
