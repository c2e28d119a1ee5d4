/** Registered models as items of the palette; loaded when the palette first needs them. */

import type { Api } from "../../api/client";
import { listModels } from "../../api/models";
import { modelsForNodes, parametersOfModel } from "../../graph/registeredModels";
import type { Placeable } from "../../view/viewStore";

export async function modelsToPlace(api: Api): Promise<readonly Placeable[]> {
  return modelsForNodes(await listModels(api)).map((found) => ({
    module: found.module,
    title: found.model,
    parameters: parametersOfModel(found),
  }));
}
