/** Registered models as items of the palette; loaded when the palette first needs them. */

import type { Api } from "../../api/client";
import { listModels } from "../../api/models";
import { modelsForNodes, parametersOfModel } from "../../graph/registeredModels";
import type { Placeable } from "../../view/viewStore";

export async function modelsToPlace(api: Api): Promise<readonly Placeable[]> {
  return modelsForNodes(await listModels(api)).map((version) => ({
    module: version.module,
    title: version.model,
    parameters: parametersOfModel(version),
  }));
}
