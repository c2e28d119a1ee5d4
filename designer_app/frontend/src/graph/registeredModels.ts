/** Versions that Registered Model accepts: trained models, not files of scripts. */

interface Versions {
  readonly name: string;
  readonly aliases: Readonly<Record<string, number>>;
  /** Versions, oldest first. */
  readonly versions: readonly { readonly version: number; readonly type: string }[];
}

/** Return the newest trained version of each model and each alias of a trained one, as
 * references. */
export function referencesToPlace(models: readonly Versions[]): readonly string[] {
  return models.flatMap(({ name, aliases, versions }) => {
    const trained = versions.filter((version) => version.type === "TrainedModel");
    const numbers = trained.map((version) => version.version);
    const named = Object.keys(aliases).filter((alias) => numbers.includes(aliases[alias] ?? 0));
    return [...numbers.slice(-1), ...named].map((which) => `${name}@${which}`);
  });
}
