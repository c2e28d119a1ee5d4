/** Several nodes are selected: what can be done with all of them. */

import type { ReactElement } from "react";

import { CommandButton } from "../../ui/buttons";
import { plural } from "../../view/format";

interface Props {
  readonly nodes: readonly string[];
}

const ACTIONS = [
  "connect-selected",
  "group",
  "run-selected",
  "align-left",
  "align-top",
  "distribute-horizontally",
  "distribute-vertically",
  "duplicate",
  "copy",
  "disable",
  "delete",
] as const;

export function ManyNodes({ nodes }: Props): ReactElement {
  return (
    <>
      <header className="pd-settings-head">
        <div className="pd-pane-head">
          <h2>{plural(nodes.length, "node")} selected</h2>
        </div>
        <p>Choose one node to change its settings.</p>
      </header>
      <div className="pd-settings-body pd-scroll pd-actions">
        {ACTIONS.map((command) => (
          <CommandButton key={command} command={command} />
        ))}
      </div>
    </>
  );
}
