/** Wires into a node of the outline: arrow keys select one, Delete removes it. */

import type { KeyboardEvent, ReactElement } from "react";

import { endKey } from "../../graph/lookup";
import type { Link } from "../../graph/types";
import { useEditor, useEditorState } from "../../view/context";
import { selectSelection } from "../../store/selectors";

interface Props {
  readonly links: readonly Link[];
  /** "training dataset from Apply" */
  readonly wordsOf: (link: Link) => string;
}

export function OutlineWires({ links, wordsOf }: Props): ReactElement {
  const editor = useEditor();
  const chosen = useEditorState(selectSelection).links;
  return (
    <ul role="group" onKeyDown={moveAmong}>
      {links.map((link) => {
        const key = endKey(link.to);
        return (
          <li
            key={key}
            role="treeitem"
            aria-level={2}
            aria-selected={chosen.includes(key)}
            tabIndex={-1}
            data-testid={`outline-wire-${key}`}
            onFocus={() => editor.select({ links: [key] })}
          >
            <div className="pd-tree-row pd-tree-wire">
              <small>{wordsOf(link)}</small>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** Arrow keys: up and down among the wires, left back to the node. */
function moveAmong(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const at = items.findIndex((item) => item === event.target);
  const node = event.currentTarget.closest<HTMLElement>("[role=treeitem]");
  const to = { ArrowDown: items[at + 1], ArrowUp: items[at - 1] ?? node, ArrowLeft: node }[
    event.key
  ];
  if (!event.key.startsWith("Arrow")) return;
  event.preventDefault();
  event.stopPropagation();
  to?.focus();
}
