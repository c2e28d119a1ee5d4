/** Versions of models that a node outputs for Score Image Model. */

interface Versions {
  readonly name: string;
  readonly aliases: Readonly<Record<string, number>>;
  /** Versions, oldest first. */
  readonly versions: readonly { readonly version: number; readonly module: string | null }[];
}

/** A model, `NAME@VERSION` or `NAME@ALIAS`, and the module whose node outputs it. */
export interface PlaceableModel {
  readonly model: string;
  readonly module: string;
}

/** Return the newest version of each model, and each alias, that a node can output. */
export function modelsForNodes(models: readonly Versions[]): readonly PlaceableModel[] {
  return models.flatMap(({ name, aliases, versions }) => {
    const modules = new Map<number, string>();
    for (const { version, module } of versions) {
      if (module !== null) modules.set(version, module);
    }
    const newest = [...modules.keys()].slice(-1).map((number) => [String(number), number] as const);
    return [...newest, ...Object.entries(aliases)].flatMap(([which, number]) => {
      const module = modules.get(number);
      return module === undefined ? [] : [{ model: `${name}@${which}`, module }];
    });
  });
}

/** Return the parameters of a node that outputs a model. */
export function parametersOfModel({ model, module }: PlaceableModel): Record<string, string> {
  return module === "onnx_model" ? { source: "the registry", model } : { model };
}
