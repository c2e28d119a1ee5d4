/** The pipeline as a tree, in running order: each node with what its inputs are connected to. */

import type { KeyboardEvent, ReactElement } from "react";

import { findNode, linksInto } from "../../graph/lookup";
import { titleOf } from "../../graph/search";
import type { ModuleSpec, PipelineDocument, PipelineNode } from "../../graph/types";
import { useEditor, useEditorState, useView } from "../../parts/context";
import { goToNode } from "../../parts/going";
import { ModuleIcon } from "../../parts/ModuleIcon";
import {
  selectCatalog,
  selectDocument,
  selectIsSelected,
  selectOrder,
  selectProblemsOf,
  selectStep,
} from "../../store/selectors";

export function Outline(): ReactElement {
  const document = useEditorState(selectDocument);
  const nodes = useEditorState(selectOrder).flatMap((id) => findNode(document, id) ?? []);
  if (nodes.length === 0) return <p className="pd-empty">No nodes yet: add one from the left.</p>;
  return (
    <ul
      className="pd-tree"
      role="tree"
      aria-label="Nodes in running order"
      aria-multiselectable
      onKeyDown={move}
    >
      {nodes.map((node, place) => (
        <OutlineNode key={node.id} node={node} document={document} isFirst={place === 0} />
      ))}
    </ul>
  );
}

interface Props {
  readonly node: PipelineNode;
  readonly document: PipelineDocument;
  readonly isFirst: boolean;
}

function OutlineNode({ node, document, isFirst }: Props): ReactElement {
  const editor = useEditor();
  const view = useView();
  const catalog = useEditorState(selectCatalog);
  const selected = useEditorState(selectIsSelected(node.id));
  const step = useEditorState(selectStep(node.id));
  const problems = useEditorState(selectProblemsOf(node.id)).length;
  const module = catalog.byId.get(node.module);
  const said = [
    step && step.status !== "not started" ? step.status : "",
    problems > 0 ? `${problems} to put right` : "",
    inputWords(node, module, document, (other) => titleOf(other, catalog)),
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
      tabIndex={selected || isFirst ? 0 : -1}
      data-testid={`outline-${node.id}`}
      onFocus={(event) => {
        if (event.target === event.currentTarget && !selected) {
          editor.select({ nodes: [node.id] });
        }
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") open();
      }}
    >
      <div className="pd-tree-row" onClick={open}>
        <ModuleIcon module={module} catalog={catalog} />
        <span>{titleOf(node, catalog)}</span>
        <small>{said.filter(Boolean).join(" · ")}</small>
      </div>
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
    const link = links.find((each) => each.to.port === port.id);
    const source = link && document.nodes.find((each) => each.id === link.from.node);
    if (source) return `${port.title.toLowerCase()} from ${title(source)}`;
    return port.optional ? "" : `${port.title.toLowerCase()} missing`;
  });
  return words.filter(Boolean).join(", ");
}

/** Arrows, Home and End move within the tree. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"]')];
  const at = items.findIndex((item) => item === event.target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  items[Math.min(items.length - 1, Math.max(0, to))]?.focus();
}
