/** Streamlit component: mounts the editor of a pipeline into its element. */

import type { ReactElement } from "react";
import { createRoot, type Root } from "react-dom/client";

import { createApi, type Api } from "./api/client";
import { EditorScreen } from "./screens/editor/EditorScreen";
import { lazyPanels } from "./panels/panels";
import { importWithRetry } from "./ui/importWithRetry";
import { LoadingScreen } from "./ui/LoadingScreen";
import { openOnPage, setHost } from "./store/pageHost";
import { loadEditor, prepareEditor } from "./store/editors";
import type { ScreenName, ScreenProps } from "./screens/types";
import { addStyles } from "./styles/styleSheet";
import { t } from "./graph/translate";

/** Arguments from Python; a bundle of another protocol requests a reload. */
export interface MountData {
  readonly protocol: number;
  readonly apiBase: string;
  readonly token: string;
  readonly pipelineId: string;
  readonly runId: string | null;
  /** Screen to show instead of Design. */
  readonly screen?: ScreenName;
  /** End of the run for which the page was drawn; null while it is running. */
  readonly ended?: number | null;
  /** Sweep whose trials the list of runs shows. */
  readonly trials?: ScreenProps["trials"];
  /** Replay that the screen "replay" plays. */
  readonly replayId?: string | null;
}

export interface ComponentArguments {
  readonly data: MountData;
  readonly parentElement: ShadowRoot | HTMLElement;
  readonly setStateValue: (name: string, value: unknown) => void;
  readonly setTriggerValue: (name: string, value: unknown) => void;
}

interface Instance {
  readonly react: Root;
  readonly frame: HTMLElement;
  api: Api;
  shown: string | null;
  arguments: ComponentArguments;
}

const PROTOCOL = 1;
const instances = new WeakMap<ComponentArguments["parentElement"], Instance>();

type Ids = Partial<Pick<MountData, "pipelineId" | "runId">>;

/** Start loading; called by the page before the element to mount in exists. */
export function prepare(data: Pick<MountData, "apiBase" | "token"> & Ids): void {
  const { pipelineId, runId } = data;
  const api = createApi({ base: data.apiBase, token: data.token });
  if (pipelineId) {
    prepareEditor(api, pipelineId, { openPipeline: openOnPage }, runId);
    void lazyPanels();
  } else if (runId) {
    const screen = importWithRetry(() => import("./screens/Screen"));
    void screen.then((it) => it.prepareScreen(api, runId));
  }
}

/** Called for each change of data or theme; mounts once, and returns a function that unmounts. */
export default function mount(component: ComponentArguments): () => void {
  const { parentElement, data } = component;
  const instance = instances.get(parentElement) ?? createInstance(component);
  instance.arguments = component;
  setHost(component.setTriggerValue);
  instance.api.setToken(data.token);
  instance.frame.dataset["theme"] = themeOf(instance.frame);
  void show(instance);
  return () => {
    instances.delete(parentElement);
    instance.react.unmount();
    instance.frame.remove();
  };
}

function createInstance(component: ComponentArguments): Instance {
  const { parentElement, data } = component;
  addStyles(parentElement);
  const frame = document.createElement("div");
  frame.className = "pd-root";
  frame.tabIndex = -1;
  parentElement.appendChild(frame);
  const api = createApi({ base: data.apiBase, token: data.token });
  const react = createRoot(frame);
  const instance: Instance = { react, frame, api, shown: null, arguments: component };
  instances.set(parentElement, instance);
  return instance;
}

/** Open the pipeline, unless it is already shown. */
async function show(instance: Instance, again = false): Promise<void> {
  const { pipelineId, runId, protocol, screen } = instance.arguments.data;
  if (protocol !== PROTOCOL) {
    draw(
      instance,
      <LoadingScreen failed={t("A newer version of the app is running. Reload this page.")} />,
    );
    return;
  }
  if (screen) return showScreen(instance, screen);
  if (instance.shown === pipelineId) return;
  instance.shown = pipelineId;
  if (!again) draw(instance, <LoadingScreen failed={null} />);
  try {
    const options = { openPipeline: openOnPage };
    const editor = await loadEditor(instance.api, pipelineId, options, runId);
    if (!isMounted(instance) || instance.shown !== pipelineId) {
      editor.runs.pauseUnshown();
      return;
    }
    instance.api = editor.api; // the open editor also needs a new token
    if (runId && editor.state.run?.id !== runId) editor.runs.follow(runId);
    draw(instance, <EditorScreen key={pipelineId} editor={editor} root={instance.frame} />);
    announceShown();
  } catch (error) {
    instance.shown = null;
    draw(instance, <LoadingScreen failed={error} onRetry={() => void show(instance, true)} />);
    announceShown();
  }
}

async function showScreen(instance: Instance, screen: ScreenName): Promise<void> {
  const { frame: root, api } = instance;
  const { data } = instance.arguments;
  if (screen === "replay") {
    const { drawReplay } = await importWithRetry(() => import("./screens/replay/ReplayScreen"));
    draw(instance, drawReplay(api, root, data.replayId ?? ""));
    announceShown();
    return;
  }
  const { drawScreen } = await importWithRetry(() => import("./screens/Screen"));
  const send = (name: string, value: unknown): void =>
    instance.arguments.setTriggerValue(name, value);
  root.dataset["screen"] = screen;
  draw(instance, drawScreen({ ...data, screen, api, root, send }));
}

function draw(instance: Instance, element: ReactElement): void {
  if (isMounted(instance)) instance.react.render(element);
}

/** Remove the placeholder of the editor (`page_outline.py`). */
function announceShown(): void {
  requestAnimationFrame(() => dispatchEvent(new Event("designer:shown")));
}

function isMounted(instance: Instance): boolean {
  return instances.get(instance.arguments.parentElement) === instance;
}

/** Return "dark" if the page's background is dark: Streamlit exposes only its colors. */
function themeOf(frame: HTMLElement): "light" | "dark" {
  const colour = getComputedStyle(frame).getPropertyValue("--st-background-color").trim();
  if (!colour) return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const probe = document.createElement("i");
  probe.style.color = colour;
  frame.appendChild(probe);
  const [red = 255, green = 255, blue = 255] = (
    getComputedStyle(probe).color.match(/[\d.]+/g) ?? []
  ).map(Number);
  probe.remove();
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128 ? "dark" : "light";
}
