/** Training of the trials of a search: named in the settings, drawn in a dialog. */

import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";

import { LIGHT, type Theme, drawSvg } from "../../export/svg";
import { ownTraining, trainingOf, triedSpaces } from "../../graph/ownTraining";
import { localName } from "../../graph/paths";
import { titleOf } from "../../graph/search";
import { spaceWords } from "../../graph/spaces";
import { t } from "../../graph/translate";
import type { ModuleSpec, PipelineDocument, PipelineNode } from "../../graph/types";
import { openAsNew } from "../../store/openAsNew";
import { selectCatalog, selectDocument } from "../../store/selectors";
import { Button } from "../../ui/buttons";
import { Dialog } from "../../ui/Dialog";
import { useEditor, useEditorState } from "../../view/context";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec;
}

export default function OwnTraining({ node, module }: Props): ReactElement | null {
  const catalog = useEditorState(selectCatalog);
  const [isShown, setIsShown] = useState(false);
  const training = trainingOf(module, catalog);
  if (!training) return null;
  const names = titlesOf(node, module, training).map(([title]) => title);
  const facts = { training: training.title, names: names.join(", ") };
  return (
    <div className="pd-box" data-testid="own-training">
      {names.length > 0
        ? t("Each trial runs {training} with other values of: {names}.", facts)
        : t("Each trial runs {training}. No values to try yet.", facts)}{" "}
      <button
        type="button"
        className="pd-link"
        data-testid="show-training"
        onClick={() => setIsShown(true)}
      >
        {t("Show training")}
      </button>
      {isShown && <TrainingDialog {...{ node, module }} onClose={() => setIsShown(false)} />}
    </div>
  );
}

function TrainingDialog(props: Props & { readonly onClose: () => void }): ReactElement | null {
  const { node, module, onClose } = props;
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const [isOpening, setIsOpening] = useState(false);
  const part = useMemo(() => ownTraining(document, catalog, node.id), [document, catalog, node.id]);
  const training = trainingOf(module, catalog);
  if (!part || !training) return null;
  const open = async (): Promise<void> => {
    setIsOpening(true);
    if ((await openAsNew(editor, part)) === null) setIsOpening(false);
    else onClose();
  };
  return (
    <Dialog
      title={t("Training of {title}", { title: titleOf(node, catalog) })}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("Close")}</Button>
          <Button
            kind="primary"
            disabled={isOpening}
            title={t("A new pipeline with the training and a sweep of the same values")}
            data-testid="open-training"
            onClick={() => void open()}
          >
            {t("Open as pipeline")}
          </Button>
        </>
      }
    >
      <p>
        {t(
          "Nodes before the training run once. Trials repeat the training, one after the other, and the model of the best one is the output. To change or extend the training, open it as a pipeline with a sweep.",
        )}
      </p>
      <Drawing document={part} />
      <ul data-testid="training-values">
        {titlesOf(node, module, training).map(([title, words]) => (
          <li key={title}>
            <b>{title}</b> {words}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Image of the graph in the colors of the page. */
function Drawing({ document }: { readonly document: PipelineDocument }): ReactElement {
  const catalog = useEditorState(selectCatalog);
  const editor = useEditor();
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const element = image.current;
    if (!element) return;
    const sizes = new Map([...(editor.canvas?.sizes() ?? [])].map(([id, s]) => [localName(id), s]));
    const svg = drawSvg(document, catalog, themeOf(element), sizes);
    element.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  }, [document, catalog, editor]);
  const titles = document.nodes.map((node) => titleOf(node, catalog)).join(", ");
  return (
    <div className="pd-training-drawing pd-scroll">
      <img ref={image} alt={t("Graph of the training: {titles}", { titles })} />
    </div>
  );
}

function themeOf(element: HTMLElement): Theme {
  const style = getComputedStyle(element);
  const color = (name: string, usual: string): string =>
    style.getPropertyValue(`--${name}`).trim() || usual;
  return {
    background: color("bg", LIGHT.background),
    surface: color("panel", LIGHT.surface),
    border: color("line-strong", LIGHT.border),
    text: color("text", LIGHT.text),
    muted: color("dim", LIGHT.muted),
    hues: Object.fromEntries(
      Object.entries(LIGHT.hues).map(([name, usual]) => [name, color(`type-${name}`, usual)]),
    ),
  };
}

/** Titles of the varied parameters with their spaces. */
function titlesOf(
  node: PipelineNode,
  module: ModuleSpec,
  training: ModuleSpec,
): readonly (readonly [string, string])[] {
  return [...triedSpaces(node, module, training)].map(([id, space]) => {
    const title = training.parameters.find((parameter) => parameter.id === id)?.title;
    return [title ?? id, spaceWords(space)];
  });
}
