/** Import of a script or a folder of code: a node that runs it, with arguments for its options. */

import { announceDataset } from "../api/datasetEvents";
import { uploadDataset } from "../api/datasets";
import { readScript } from "../api/scripts";
import type { ScriptFacts } from "../api/types.gen";
import type { SourceFolder } from "../browser/folders";
import { centredAt, paste } from "../graph/copies";
import { addNode, setRunSettings } from "../graph/edits";
import type { JsonValue, PipelineDocument, RunSettings } from "../graph/types";
import type { Editor } from "../store/editor";
import { withProgressNotice } from "./progressNotice";
import type { Args } from "./types";
import { t } from "../graph/translate";

const MODULE = "run_training_script";
/** Largest size in bytes of a script that is stored in the pipeline itself. */
const MOST_TYPED = 64 * 1024;
const MOST_TITLES = 3;
const IMAGE_FILE_UNUSED = t(
  "The Dockerfile is not used automatically. Build the image, then create an environment from it.",
);

/** Return the position of a drop; else the pointer, or the middle of the view. */
export function placeOf(editor: Editor, args: Args): readonly [number, number] {
  const middle = editor.canvas?.pointer() ?? editor.canvas?.centre() ?? { x: 0, y: 0 };
  return [Number(args["x"] ?? middle.x), Number(args["y"] ?? middle.y)];
}

export async function addTypedScript(editor: Editor, file: File, args: Args): Promise<void> {
  if (file.size > MOST_TYPED) {
    const message = t('"{name}" is larger than 64 kB. Put it into a folder and drop the folder.', {
      name: file.name,
    });
    editor.notify(message, "error");
    return;
  }
  try {
    const text = await file.text();
    const facts = await readScript(editor.api, text);
    if (facts.modules.length > 0) {
      editor.notify(placeOfModules(file.name, facts), "warning");
      return;
    }
    if (facts.submission) {
      addSubmission(editor, file.name, facts, facts.submission, args);
      return;
    }
    const needs = facts.requirements.length > 0 ? { text, fileName: file.name } : undefined;
    addScript(editor, { name: file.name, parameters: { typed_script: text }, facts, needs }, args);
  } catch (error) {
    editor.notifyError(error);
  }
}

/** Add a node for each ScriptRunConfig in a file that submits to Azure. */
function addSubmission(
  editor: Editor,
  file: string,
  facts: ScriptFacts,
  submission: PipelineDocument,
  args: Args,
): void {
  const piece = centredAt(submission, ...placeOf(editor, args));
  const isAdded = editor.dispatch((document) => paste(document, piece, 0), {
    label: t("Import {file}", { file }),
    select: "added",
  });
  if (!isAdded) return;
  const notes = facts.notes.join(" ");
  editor.notify(
    t("{file} became {count:,} {count:node|nodes}. {notes}", {
      file,
      count: piece.nodes.length,
      notes,
    }).trim(),
    notes ? "warning" : "success",
  );
}

/** A file that declares modules is not a script: it belongs in the modules folder of the
 * workspace. */
function placeOfModules(file: string, { modules, modules_folder: folder }: ScriptFacts): string {
  const titles = modules.slice(0, MOST_TITLES).join(", ");
  const rest = modules.length - MOST_TITLES;
  const them = rest > 0 ? t("{titles} and {rest} more", { titles, rest }) : titles;
  return t(
    "{file} contains the {count:module|modules} {titles}, not a script. Put the file into the modules folder of the workspace ({folder}) and reload the page.",
    { file, count: modules.length, titles: them, folder },
  );
}

export async function addSourceFolder(
  editor: Editor,
  archive: File,
  { script, requirements, hasImageFile }: SourceFolder,
  args: Args,
): Promise<void> {
  try {
    const facts = await readScript(editor.api, await script.text());
    const made = await withProgressNotice(
      editor,
      t("Uploading {name}", { name: archive.name }),
      () => uploadDataset(editor.api, archive),
    );
    announceDataset();
    const needs = await needsOf(facts, script, requirements);
    const parameters = { source_folder: made.source, script: script.name };
    addScript(editor, { name: made.name, parameters, facts, needs, hasImageFile }, args);
  } catch (error) {
    editor.notifyError(error);
  }
}

interface Needs {
  readonly text: string;
  readonly fileName: string;
}

/** The script's own header takes precedence over the requirements file in the same folder. */
async function needsOf(
  facts: ScriptFacts,
  script: File,
  requirements: File | undefined,
): Promise<Needs | undefined> {
  const said = facts.requirements.length > 0 ? script : requirements;
  return said && { text: await said.text(), fileName: said.name };
}

interface DroppedScript {
  readonly name: string;
  readonly parameters: Readonly<Record<string, JsonValue>>;
  readonly facts: ScriptFacts;
  readonly needs: Needs | undefined;
  readonly hasImageFile?: boolean;
}

/** Return run settings for the script's framework; an environment that the script requires takes
 * precedence. */
function settingsFor({ facts, needs }: DroppedScript): Partial<RunSettings> {
  const { launcher, environment } = facts.framework ?? {};
  return { ...(launcher && { launcher }), ...(!needs && environment && { environment }) };
}

function importNotes(
  { facts, hasImageFile }: DroppedScript,
  settings: Partial<RunSettings>,
): readonly string[] {
  const count = facts.options.length;
  const chosen = Object.keys(settings).sort().join(" and ");
  return [
    ...(count > 0 ? [t("{count} {count:option was|options were} found.", { count })] : []),
    ...(chosen
      ? [t("Selected for {title}: {chosen}.", { title: facts.framework?.title ?? "", chosen })]
      : []),
    ...(hasImageFile ? [IMAGE_FILE_UNUSED] : []),
  ];
}

function addScript(editor: Editor, dropped: DroppedScript, args: Args): void {
  const { name, facts, needs } = dropped;
  const [x, y] = placeOf(editor, args);
  const parameters = { ...dropped.parameters, arguments: facts.arguments };
  const before = editor.state.whole;
  const settings = settingsFor(dropped);
  const isAdded = editor.dispatch(
    (document, catalog) => {
      const added = addNode(document, catalog, MODULE, x, y, parameters);
      const id = added.nodes.at(-1)?.id;
      return id === undefined ? added : setRunSettings(added, id, settings);
    },
    { label: t("Run {name}", { name }), select: "added" },
  );
  const [node] = editor.state.selection.nodes;
  if (!isAdded || node === undefined) return;
  editor.code.wrote(before, node, ...Object.keys(parameters));
  const said = [t("{name} was added as a node.", { name }), ...importNotes(dropped, settings)].join(
    " ",
  );
  if (!needs) editor.notify(said, "success");
  else {
    editor.notify(t("{said} The script lists its requirements.", { said }), "success", {
      label: t("Build environment"),
      command: "build-environment",
      args: { node, name, text: needs.text, file_name: needs.fileName },
    });
  }
}
