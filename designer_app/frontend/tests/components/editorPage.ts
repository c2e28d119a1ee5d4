/** Editor screen in a DOM without layout, on the server of the autosave tests. */

import type { IncomingMessage, ServerResponse } from "node:http";

import { fireEvent, waitFor, within } from "@testing-library/dom";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect } from "vitest";

import { keyBindings } from "../../src/commands/keyBindings";
import type { Catalog } from "../../src/graph/catalog";
import type { PipelineDocument, PipelineNode } from "../../src/graph/types";
import { lazyPanels } from "../../src/panels/panels";
import { EditorScreen } from "../../src/screens/editor/EditorScreen";
import { Editor } from "../../src/store/editor";
import { panePreferences, read } from "../../src/view/panePreferences";
import { MODULES, lesson, load } from "../cases";
import { documentOf } from "../documents";
import { type Kept, PipelineServer, send } from "../server";

export { MODULES, lesson };

/** Some nodes of the first lesson, with or without the links between them. */
export function lessonWith(kept: readonly string[], linked = false): PipelineDocument {
  const { nodes, links, ...rest } = lesson("01-digits");
  return {
    ...rest,
    nodes: nodes.filter(({ id }) => kept.includes(id)),
    links: links.filter(
      ({ from, to }) => linked && kept.includes(from.node) && kept.includes(to.node),
    ),
  };
}

export function nodeIn(document: PipelineDocument, id: string): PipelineNode {
  const node = document.nodes.find((candidate) => candidate.id === id);
  if (!node) throw new Error(`The pipeline has no node ${id}.`);
  return node;
}

/** Problems that the server reports for a document; `tests/cases/verdicts.json` checks them. */
export function verdict(name: string): Verdict {
  const verdictCase = load<readonly Verdict[]>("verdicts.json").find(
    (entry) => entry.name === name,
  );
  if (!verdictCase) throw new Error(`No verdict is called ${name}.`);
  return { ...verdictCase, document: documentOf(verdictCase.document) };
}

interface Verdict {
  readonly name: string;
  readonly document: PipelineDocument;
  readonly problems: readonly unknown[];
}

/** Responses of other endpoints by "GET /path": content, or a function that makes or writes it. */
export type Answers = Readonly<Record<string, Answering | object>>;
type Answering = (body: string, response: ServerResponse) => unknown;

interface Options {
  readonly catalog?: Catalog;
  readonly answers?: Answers;
}

/** Page of the running test; a DOM has a single title, so that there is one page at a time. */
let current: EditorPage | null = null;

/** Save a document on a server and show it. */
export async function openEditor(
  document: PipelineDocument,
  { catalog = MODULES, answers = {} }: Options = {},
): Promise<EditorPage> {
  const server = new PipelineServer();
  server.intercept = (request, response, body) => answer(answers, request, response, body);
  await server.start();
  server.keep(document);
  current = new EditorPage(server, catalog);
  await current.show(document.id);
  if ("POST /validate" in answers) void current.editor.checking.askServer();
  return current;
}

function answer(
  answers: Answers,
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  body: string,
): boolean {
  const name = `${method ?? ""} ${url.replace(/^\/api/, "").replace(/\?.*/, "")}`;
  if (!(name in answers)) return false;
  const wanted = answers[name];
  const content = typeof wanted === "function" ? (wanted as Answering)(body, response) : wanted;
  if (content !== undefined) send(response, 200, content);
  return true;
}

export async function closePage(): Promise<void> {
  current?.close();
  await current?.server.stop();
  current = null;
  document.body.replaceChildren();
  localStorage.clear();
  panePreferences.setState(read(null), true);
  keyBindings.setState({}, true);
}

export class EditorPage {
  readonly user: UserEvent = userEvent.setup({ pointerEventsCheck: 0 });
  readonly root = document.createElement("div");
  private readonly tabs: Editor[] = [];
  private opened: Editor | null = null;
  private unmount = (): void => undefined;

  constructor(
    readonly server: PipelineServer,
    private readonly catalog: Catalog,
  ) {
    this.root.className = "pd-root";
    this.root.tabIndex = -1;
    document.body.append(this.root);
  }

  get editor(): Editor {
    if (!this.opened) throw new Error("Show a pipeline first.");
    return this.opened;
  }

  /** Show a pipeline as the server has it, as after reloading the page. */
  async show(id: string): Promise<void> {
    this.close();
    const kept = this.server.kept.get(id);
    if (!kept) throw new Error(`The server has no pipeline ${id}.`);
    const editor = this.newEditor(kept);
    this.opened = editor;
    localStorage.setItem("pd-tour-offered", "yes");
    const react = createRoot(this.root);
    react.render(createElement(EditorScreen, { editor, root: this.root }));
    this.unmount = () => react.unmount();
    await lazyPanels();
    await this.until(() => expect(this.all(".pd-dock:not(.pd-dock-waiting)")).toHaveLength(1));
  }

  /** Open the same pipeline in another tab, to edit it there. */
  openTab(): Editor {
    const kept = this.server.kept.get(this.editor.id);
    if (!kept) throw new Error("The server has lost the pipeline.");
    const tab = this.newEditor(kept);
    this.tabs.push(tab);
    return tab;
  }

  private newEditor({ document, revision }: Kept): Editor {
    return new Editor({
      api: this.server.api,
      catalog: this.catalog,
      document,
      revision: `"${revision}"`,
      storage: null,
      firstRetry: 20,
      openPipeline: (other) => void this.show(other),
    });
  }

  close(): void {
    for (const tab of this.tabs.splice(0)) tab.close();
    this.unmount();
    this.unmount = () => undefined;
    this.opened?.close();
    this.opened = null;
  }

  // content of the page

  at(testId: string): HTMLElement {
    return within(this.root).getByTestId(testId);
  }

  has(testId: string): boolean {
    return within(this.root).queryByTestId(testId) !== null;
  }

  find(testId: string): Promise<HTMLElement> {
    return within(this.root).findByTestId(testId);
  }

  all(selector: string): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>(selector)];
  }

  /** Text of an element, on one line. */
  text(testId: string): string {
    return lineOf(this.at(testId));
  }

  /** Value of a field. */
  value(testId: string): string {
    return (this.at(testId) as HTMLInputElement).value;
  }

  /** Numbers of nodes and wires on the canvas. */
  counts(): readonly [number, number] {
    return [this.all(".react-flow__node-module").length, this.all(".react-flow__edge").length];
  }

  async until(holds: () => void): Promise<void> {
    await waitFor(holds);
  }

  /** Wait for an attribute of an element. */
  async shows(testId: string, attribute: string, value: string): Promise<void> {
    await waitFor(() => expect(this.at(testId).getAttribute(attribute)).toBe(value));
  }

  /** Wait for a text in an element. */
  async says(testId: string, text: string | RegExp): Promise<void> {
    const wanted =
      typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text);
    await waitFor(() => expect(this.text(testId)).toEqual(wanted));
  }

  async gone(testId: string): Promise<void> {
    await waitFor(() => expect(this.has(testId)).toBe(false));
  }

  /** Wait until the page shows that everything is saved; return the document on the server. */
  async saved(): Promise<PipelineDocument> {
    await this.shows("save-state", "data-state", "saved");
    const kept = this.server.kept.get(this.editor.id);
    if (!kept) throw new Error("The server has lost the pipeline.");
    return kept.document;
  }

  // actions

  async click(testId: string): Promise<void> {
    await this.user.click(await this.find(testId));
  }

  async menu(testId: string, item: string): Promise<void> {
    await this.user.pointer({ keys: "[MouseRight]", target: await this.find(testId) });
    await this.click(`menu-${item}`);
  }

  /** Click titles of nodes, all but the first with Shift. */
  async select(...ids: readonly string[]): Promise<void> {
    for (const [place, id] of ids.entries()) {
      const title = (await this.find(`node-${id}`)).querySelector(".pd-node-title");
      if (!title) throw new Error(`The node ${id} has no title.`);
      if (place > 0) await this.user.keyboard("{Shift>}");
      await this.user.click(title);
      if (place > 0) await this.user.keyboard("{/Shift}");
    }
    await this.until(() => expect(this.editor.state.selection.nodes).toEqual(ids));
  }

  /** Press key combinations such as "Control+Shift+z", one after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const combination of keys) {
      const held = combination.split("+");
      const key = held.pop() ?? "";
      const down = held.map((name) => `{${name}>}`).join("");
      const up = held.map((name) => `{/${name}}`).join("");
      const pressed = /^[[{]$/.test(key) ? key + key : key.length > 1 ? `{${key}}` : key;
      const dialog = this.dialog();
      const event = await keyDown(() => this.user.keyboard(down + pressed + up));
      const isCancelled = key === "Escape" && dialog?.isConnected && !event?.defaultPrevented;
      // browsers cancel a dialog by Escape, happy-dom does not
      if (isCancelled) fireEvent(dialog, new Event("cancel", { cancelable: true }));
    }
  }

  /** Type into the focused element. */
  async type(text: string): Promise<void> {
    await this.user.keyboard(text.replace(/[[{]/g, "$&$&"));
  }

  /** Replace the text of a field and keep the focus in it. */
  async write(testId: string, text: string): Promise<HTMLElement> {
    const field = await this.find(testId);
    field.focus();
    fireEvent.change(field, { target: { value: text } });
    await tick();
    return field;
  }

  /** Replace the text of a field and leave it. */
  async fill(testId: string, text: string): Promise<void> {
    const field = await this.write(testId, text);
    field.blur();
    await tick();
  }

  /** Press the button with this label or text in a part of the page or in the dialog. */
  async button(part: string, name: string): Promise<void> {
    const find = (): HTMLElement | undefined => {
      const buttons = this.part(part)?.querySelectorAll<HTMLElement>("button") ?? [];
      return [...buttons].find(
        (button) => button.getAttribute("aria-label") === name || lineOf(button) === name,
      );
    };
    await this.until(() => expect(find(), `a button ${name} in ${part}`).toBeDefined());
    await this.user.click(find() as HTMLElement);
  }

  private part(name: string): HTMLElement | null {
    return name === "dialog" ? this.dialog() : within(this.root).queryByTestId(name);
  }

  dialog(): HTMLElement | null {
    return this.root.querySelector("dialog");
  }

  /** Find the field with this label in a part of the page. */
  async field(testId: string, label: string): Promise<HTMLInputElement> {
    return within(await this.find(testId)).findByLabelText<HTMLInputElement>(label);
  }

  /** Replace the text of a field and leave it. */
  async change(field: HTMLElement, text: string): Promise<void> {
    field.focus();
    fireEvent.change(field, { target: { value: text } });
    field.blur();
    await tick();
  }

  focus(target: string | HTMLElement | undefined): void {
    const element = typeof target === "string" ? this.at(target) : target;
    element?.focus();
  }

  /** Wait until an element has the focus. */
  async focused(testId: string): Promise<void> {
    await waitFor(() => expect(document.activeElement).toBe(this.at(testId)));
  }
}

export function lineOf(element: Element | null): string {
  return (element?.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** Last key press among the actions. */
async function keyDown(press: () => Promise<void>): Promise<Event | undefined> {
  let last: Event | undefined;
  const note = (event: Event): void => void (last = event);
  window.addEventListener("keydown", note, { capture: true });
  await press();
  window.removeEventListener("keydown", note, { capture: true });
  return last;
}

/** Let React render the result of an event. */
function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
