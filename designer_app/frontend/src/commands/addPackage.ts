/** Package that a script lacks, added to the environment of its node in one undoable step. */

import { buildEnvironment, keepEnvironment, listEnvironments } from "../api/environments";
import type { EnvironmentSummary } from "../api/types.gen";
import { setRunSettings } from "../graph/edits";
import type { AddedPackage } from "../graph/remedies";
import type { Editor } from "../store/editor";
import { withProgressNotice } from "./progressNotice";
import { t } from "../graph/translate";

type Environments = readonly EnvironmentSummary[];

/** Return the version that run settings refer to: a name alone is its newest version. */
export function environmentOf(
  there: Environments,
  reference: string | null,
): EnvironmentSummary | undefined {
  const named = there.filter((environment) => environment.name === reference);
  const [newest] = named.toSorted((one, other) => other.version - one.version);
  return there.find((environment) => environment.reference === reference) ?? newest;
}

/** Return a free environment name: `own-tensorflow`, `own-tensorflow-2`. */
export function nameOfCopy(there: Environments, name: string): string {
  const taken = new Set(there.map((environment) => environment.name));
  const wanted = `own-${name}`.slice(0, 60);
  let [unused, number] = [wanted, 1];
  while (taken.has(unused)) unused = `${wanted}-${(number += 1)}`;
  return unused;
}

/** Return true once the node has an environment with the package, which is being built. */
export async function addPackage(editor: Editor, adds: AddedPackage): Promise<boolean> {
  try {
    const reference = await withProgressNotice(
      editor,
      t("Finding a compatible version of {name}", { name: adds.name }),
      () => keptWith(editor, adds),
    );
    await buildEnvironment(editor.api, reference);
    const label = t("Use {reference} with {name}", { reference, name: adds.name });
    const edit = { environment: reference };
    const isSet = editor.dispatch((d) => setRunSettings(d, adds.node, edit), { label });
    const words = t("{reference} contains {name}. It is selected and being built. Run again.", {
      reference,
      name: adds.name,
    });
    if (isSet) editor.notify(words, "success");
    return isSet;
  } catch (error) {
    editor.notifyError(error);
    return false;
  }
}

/** Return the reference of the environment with the package. */
async function keptWith(editor: Editor, { name, environment }: AddedPackage): Promise<string> {
  const there = await listEnvironments(editor.api);
  const old = environmentOf(there, environment);
  const isOwn = old !== undefined && !old.curated;
  const { reference } = await keepEnvironment(editor.api, {
    name: isOwn ? old.name : nameOfCopy(there, old?.name ?? name.toLowerCase()),
    text: [...(old?.requirements ?? []), name].join("\n"),
    file_name: "requirements.txt",
    ...(old && {
      base: old.base,
      python: old.python,
      as_of: old.as_of,
      allow_builds: old.allow_builds,
    }),
  });
  return reference;
}
