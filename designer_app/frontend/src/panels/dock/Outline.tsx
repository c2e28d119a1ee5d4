/** Pipeline as a tree in execution order: each node with the sources of its inputs. */

import { type KeyboardEvent, type ReactElement, useRef } from "react";

import { endKey, findNode, linksInto } from "../../graph/lookup";
import { titleAmong } from "../../graph/titles";
import { inputOf } from "../../graph/catalog";
import type { Link, ModuleSpec, PipelineDocument, PipelineNode } from "../../graph/types";
import { useEditor, useEditorState, useView } from "../../view/context";
import { goToNode } from "../../commands/goTo";
import { ModuleIcon } from "../../ui/ModuleIcon";
import {
  selectCatalog,
  selectDocument,
  selectIsSelected,
  selectOrder,
  selectProblemsOf,
  selectSelection,
  selectStep,
} from "../../store/selectors";
import { OutlineWires } from "./OutlineWires";
import { t } from "../../graph/translate";
import { statusWords } from "../../graph/statusWords";

export function Outline(): ReactElement {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const ids = useEditorState(selectOrder);
  const chosen = useEditorState(selectSelection).nodes;
  // Start of a range: the item last selected without Shift
  const anchor = useRef<string | undefined>(undefined);
  const nodes = ids.flatMap((id) => findNode(document, id) ?? []);
  if (nodes.length === 0)
    return <p className="pd-empty">{t("No nodes yet. Add one from the palette.")}</p>;
  const tabStop = chosen.at(-1) ?? ids[0];
  const choose = (id: string, how: Choosing): void => {
    if (how !== "range") anchor.current = id;
    const from = Math.max(0, ids.indexOf(anchor.current ?? tabStop ?? id));
    editor.select({ nodes: chosenAfter(chosen, ids, from, ids.indexOf(id), how) });
  };
  return (
    <ul
      className="pd-tree"
      role="tree"
      aria-label={t("Nodes in execution order")}
      aria-multiselectable
      onKeyDown={(event) => move(event, ids, choose)}
    >
      {nodes.map((node) => (
        <OutlineNode
          key={node.id}
          node={node}
          document={document}
          isTabStop={node.id === tabStop}
          onChoose={choose}
        />
      ))}
    </ul>
  );
}

/** Selection of a single item, one more or less, or a range from the last one. */
type Choosing = "only" | "toggle" | "range";

function chosenAfter(
  before: readonly string[],
  ids: readonly string[],
  from: number,
  to: number,
  how: Choosing,
): readonly string[] {
  const id = ids[to] ?? "";
  if (how === "only") return [id];
  if (how === "range") return ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  return before.includes(id) ? before.filter((other) => other !== id) : [...before, id];
}

function wayOf(event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): Choosing {
  if (event.shiftKey) return "range";
  return event.ctrlKey || event.metaKey ? "toggle" : "only";
}

interface Props {
  readonly node: PipelineNode;
  readonly document: PipelineDocument;
  /** Tab stop of the tree; arrow keys move within it. */
  readonly isTabStop: boolean;
  readonly onChoose: (id: string, how: Choosing) => void;
}

function OutlineNode({ node, document, isTabStop, onChoose }: Props): ReactElement {
  const editor = useEditor();
  const view = useView();
  const catalog = useEditorState(selectCatalog);
  const selected = useEditorState(selectIsSelected(node.id));
  const step = useEditorState(selectStep(node.id));
  const problems = useEditorState(selectProblemsOf(node.id)).length;
  const module = catalog.byId.get(node.module);
  const links = linksInto(document, node.id);
  const chosen = useEditorState(selectSelection).links;
  const isOpen = links.length > 0 && (selected || links.some((l) => chosen.includes(endKey(l.to))));
  const wordsOf = ({ from, to }: Link): string => {
    const source = findNode(document, from.node);
    const port = module && inputOf(module, to.port);
    return t("{port} from {node}", {
      port: port?.title ?? to.port,
      node: source ? titleAmong(document.nodes, source, catalog) : from.node,
    });
  };
  const said = [
    step && step.status !== "not started" ? statusWords(step.status) : "",
    node.collapsed ? t("collapsed") : "",
    problems > 0 ? t("{count:,} {count:problem|problems}", { count: problems }) : "",
    inputWords(node, module, document, (other) => titleAmong(document.nodes, other, catalog)),
  ];
  const open = (): void => {
    goToNode(editor, node.id);
    view.setState({ settingsTab: "settings" });
  };
  return (
    <li
      role="treeitem"
      aria-level={1}
      aria-selected={selected}
      aria-expanded={links.length > 0 ? isOpen : undefined}
      tabIndex={isTabStop ? 0 : -1}
      data-testid={`outline-${node.id}`}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return; // one of its wires
        if (event.key === "Enter") open();
        if (event.key !== "ArrowRight" || links.length === 0) return;
        if (isOpen) event.currentTarget.querySelector<HTMLElement>("li")?.focus();
        else onChoose(node.id, "only");
        event.preventDefault();
      }}
    >
      <div
        className="pd-tree-row"
        onClick={(event) => {
          const how = wayOf(event);
          onChoose(node.id, how);
          if (how === "only") open();
        }}
      >
        <ModuleIcon module={module} catalog={catalog} />
        <span>{titleAmong(document.nodes, node, catalog)}</span>
        <small>{said.filter(Boolean).join(" · ")}</small>
      </div>
      {isOpen && <OutlineWires links={links} wordsOf={wordsOf} />}
    </li>
  );
}

/** "training dataset from Apply, validation dataset missing" */
function inputWords(
  node: PipelineNode,
  module: ModuleSpec | undefined,
  document: PipelineDocument,
  title: (node: PipelineNode) => string,
): string {
  const links = linksInto(document, node.id);
  const words = (module?.inputs ?? []).map((port) => {
    const link = links.find((link) => link.to.port === port.id);
    const source = link && document.nodes.find((node) => node.id === link.from.node);
    if (source)
      return t("{port} from {node}", { port: port.title.toLowerCase(), node: title(source) });
    return port.optional ? "" : t("{title} missing", { title: port.title.toLowerCase() });
  });
  return words.filter(Boolean).join(", ");
}

/** Right moves to the wires of a node. Arrows, Home and End move and select, with Shift a range,
 * with Ctrl only the focus; Space toggles the selection. */
function move(
  event: KeyboardEvent<HTMLElement>,
  ids: readonly string[],
  choose: (id: string, how: Choosing) => void,
): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[aria-level="1"]')];
  const at = items.findIndex((item) => item === event.target);
  const last = items.length - 1;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last, " ": at }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  const place = Math.min(last, Math.max(0, to));
  items[place]?.focus();
  const id = ids[place];
  if (id === undefined) return;
  if (event.key === " ") choose(id, "toggle");
  else if (!event.ctrlKey && !event.metaKey) choose(id, event.shiftKey ? "range" : "only");
}
