/** Tab Try: the model applied to the user's own image, by the element that pages use, too. */

import { type ReactElement, useEffect, useRef } from "react";

import type { Api } from "../../api/client";
import { ApiError } from "../../api/client";
import { keepImage, similarImages, tryImage } from "../../api/tried";
import type { SimilarPictures, TriedAnswer } from "../../api/types.gen";
import { innermost } from "../../graph/definitions";
import { canTry } from "../../graph/tryable";
import type { PipelineNode } from "../../graph/types";
import { selectTriedFile } from "../../view/viewStore";
import { useEditor, useEditorState, useView, useViewState } from "../../view/context";
import { importWithRetry } from "../../ui/importWithRetry";
import type { EditorState } from "../../store/types";
import { t } from "../../graph/translate";

/** Script of `designer_app/elements/try_picture.*` (`designer_app/elements/element.py`). */
const ELEMENT = "/elements/try_picture.js";
const MAX_BYTES = 20_000_000;

interface SentImage {
  readonly name: string;
  /** Base64. */
  readonly content: string;
  readonly category?: string;
}

type Request = "picture" | "keep" | "similar";

interface ElementModule {
  readonly page: string;
  readonly style: string;
  default(component: {
    readonly parentElement: ShadowRoot;
    readonly data: { readonly maxBytes: number; readonly told: string | null; file: File | null };
    setTriggerValue(name: Request, value: SentImage): void;
  }): (() => void) | undefined;
}

interface Compared {
  readonly verdict: string;
  readonly neighbors: SimilarPictures["neighbors"];
}

type Told = Partial<TriedAnswer> & {
  readonly error?: string;
  readonly kept?: string;
  readonly similar?: Compared;
};

interface Props {
  readonly node: PipelineNode;
}

export function TryPanel({ node: { id, module } }: Props): ReactElement {
  const editor = useEditor();
  const view = useView();
  const run = useEditorState(selectRunId);
  const node = useEditorState(({ document, catalog }) => {
    const port = catalog.byId.get(module)?.outputs.find(canTry);
    return port ? innermost(document, { node: id, port: port.id }, "outputs").node : id;
  });
  const given = useViewState(selectTriedFile);
  const file = given?.node === id ? given.file : null;
  const host = useRef<HTMLDivElement>(null);
  const field = useRef<TryField | null>(null);
  useEffect(() => {
    if (!host.current || run === null) return;
    const made = new TryField(editor.api, host.current, run, node);
    field.current = made;
    void made.open().then(() => made.draw());
    return () => {
      made.close();
      view.setState({ triedFile: null });
    };
  }, [editor, view, run, node]);
  useEffect(() => field.current?.draw(file), [file]);
  if (run === null) return <p className="pd-dim">{t("Run the pipeline to try its model.")}</p>;
  return (
    <div className="pd-try" data-drop-images data-testid="try-panel">
      <div ref={host} className="pd-try-host" />
    </div>
  );
}

const selectRunId = ({ run }: EditorState): string | null => run?.id ?? null;

/** Connects the element to the API, as a Streamlit page connects it to Python. */
class TryField {
  private element: ElementModule | null = null;
  private told: Told | null = null;
  private file: File | null = null;
  private leave: (() => void) | undefined;
  private isClosed = false;
  private readonly root: ShadowRoot;

  constructor(
    private readonly api: Api,
    host: HTMLElement,
    private readonly run: string,
    private readonly node: string,
  ) {
    this.root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  }

  async open(): Promise<void> {
    const address = new URL(ELEMENT, location.href).href;
    this.element = await importWithRetry<ElementModule>(() => import(/* @vite-ignore */ address));
    this.root.innerHTML = this.element.page;
    const style = document.createElement("style");
    style.textContent = this.element.style;
    this.root.append(style);
  }

  draw(file: File | null = this.file): void {
    this.file = file;
    if (!this.element || this.isClosed) return;
    const told = this.told && JSON.stringify(this.told);
    const leave = this.element.default({
      parentElement: this.root,
      data: { maxBytes: MAX_BYTES, told, file },
      setTriggerValue: (name, value) => void this.send(name, value),
    });
    this.leave = leave ?? this.leave;
  }

  close(): void {
    this.isClosed = true;
    this.leave?.();
    this.root.replaceChildren();
  }

  private async send(name: Request, sent: SentImage): Promise<void> {
    const image = new Blob([bytesOf(sent.content)], { type: "application/octet-stream" });
    const place = { run: this.run, node: this.node, file: sent.name };
    try {
      if (name === "picture") this.told = await tryImage(this.api, place, image);
      else if (name === "similar") {
        this.told = { ...this.told, similar: await similarImages(this.api, place, image) };
      } else {
        const { category, source } = await keepImage(this.api, place, image, sent.category ?? "");
        const kept = t("Added as {category}. Use it as {source}.", { category, source });
        this.told = { ...this.told, kept };
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const words = `${error.message} ${error.cure}`;
      if (name === "picture") this.told = { error: words };
      else if (name === "keep") this.told = { ...this.told, kept: words };
      else this.told = { ...this.told, similar: { verdict: words, neighbors: [] } };
    }
    this.draw();
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
