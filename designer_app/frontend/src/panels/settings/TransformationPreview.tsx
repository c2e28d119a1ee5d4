/** Preview of Init Image Transformation's settings on an image of the shown run. */

import { Dices } from "lucide-react";
import { type ReactElement, useCallback, useEffect, useState } from "react";

import { fetchVaried } from "../../api/varied";
import type { VariedImage } from "../../api/types.gen";
import { valueOf } from "../../graph/parameters";
import type { JsonValue, ModuleSpec, PipelineNode } from "../../graph/types";
import { selectProblemsOf, selectRunId, selectSettings } from "../../store/selectors";
import { IconButton } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { useAnswer } from "../../view/useAnswer";
import { t } from "../../graph/translate";

/** Time without typing before images are requested, in milliseconds. */
const PAUSE_MS = 400;
/** Reserved places, so that nothing below moves when more images are drawn. */
const MOST_DRAWN = 5;

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec;
}

export function TransformationPreview({ node, module }: Props): ReactElement {
  const run = useEditorState(selectRunId);
  return (
    <section className="pd-varied" aria-label={t("Preview")} data-testid="varied">
      {run ? (
        <Varied key={`${run} ${node.id}`} run={run} node={node} module={module} />
      ) : (
        <p className="pd-dim">
          {t("Run the pipeline once to preview these settings on an image.")}
        </p>
      )}
    </section>
  );
}

function Varied({ run, node, module }: Props & { readonly run: string }): ReactElement {
  const [seed, setSeed] = useState(0);
  const { shown, failed, isOld } = useVaried(run, node, module, seed);
  return (
    <>
      <header>
        <h3 className="pd-heading">{t("Preview")}</h3>
        <IconButton icon={Dices} label={t("Another image")} onClick={() => setSeed(seed + 1)} />
      </header>
      {failed && <p className="pd-dim">{failed}</p>}
      {!shown && !failed && <p className="pd-dim">{t("Rendering …")}</p>}
      {shown && (
        <div className="pd-varied-images" data-old={isOld || undefined}>
          <Shown image={shown.before} words={t("Before")} />
          {shown.after.map((image, at) => (
            <Shown
              key={at}
              image={image}
              words={shown.after.length > 1 ? t("Sample {at}", { at: at + 1 }) : t("After")}
            />
          ))}
          {Array.from({ length: MOST_DRAWN - shown.after.length }, (_, at) => (
            <figure key={`empty-${at}`} aria-hidden />
          ))}
        </div>
      )}
    </>
  );
}

function Shown({ image, words }: { readonly image: string; readonly words: string }): ReactElement {
  return (
    <figure>
      <img src={`data:image/jpeg;base64,${image}`} alt={words} />
      <figcaption>{words}</figcaption>
    </figure>
  );
}

interface ShownImage {
  readonly shown: VariedImage | null;
  readonly failed: string | null;
  /** True if settings changed since. */
  readonly isOld: boolean;
}

/** Keep the last response until the next one; invalid values are not requested. */
function useVaried(run: string, node: PipelineNode, module: ModuleSpec, seed: number): ShownImage {
  const editor = useEditor();
  const wanted = useAtRest(useParameters(node, module));
  const ask = useCallback(
    () =>
      fetchVaried(editor.api, run, node.id, {
        parameters: JSON.parse(wanted) as Record<string, JsonValue>,
        seed,
      }),
    [editor, run, node.id, wanted, seed],
  );
  const { value, failed } = useAnswer(wanted === "" ? null : ask);
  const [last, setLast] = useState<VariedImage | null>(null);
  if (value && value !== last) setLast(value);
  return { shown: failed ? null : (value ?? last), failed, isOld: value === null };
}

/** Return the parameters as JSON; empty if the server reported a value as invalid. */
function useParameters(node: PipelineNode, module: ModuleSpec): string {
  const settings = useEditorState(selectSettings);
  const problems = useEditorState(selectProblemsOf(node.id));
  const isWrong = problems.some(
    (problem) => problem.parameter !== null && problem.severity === "error",
  );
  if (isWrong) return "";
  const values = module.parameters.map(
    (parameter) => [parameter.id, valueOf(parameter, node, settings)] as const,
  );
  return JSON.stringify(Object.fromEntries(values));
}

function useAtRest(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
