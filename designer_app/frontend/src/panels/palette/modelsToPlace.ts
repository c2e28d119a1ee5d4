/** Registered models as items of the palette; loaded when the palette first needs them. */

import type { Api } from "../../api/client";
import { listModels } from "../../api/models";
import { referencesToPlace } from "../../graph/registeredModels";
import type { Placeable } from "../../view/viewStore";

export async function modelsToPlace(api: Api): Promise<readonly Placeable[]> {
  return referencesToPlace(await listModels(api)).map((model) => ({
    module: "registered_model",
    title: model,
    parameters: { model },
  }));
}
