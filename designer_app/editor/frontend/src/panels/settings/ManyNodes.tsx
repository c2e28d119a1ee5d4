/** Several nodes are selected: what can be done with all of them. */

import type { ReactElement } from "react";

import { CommandButton } from "../../ui/buttons";
import { plural } from "../../view/format";

interface Props {
  readonly nodes: readonly string[];
}

const ACTIONS = [
  ["Together", ["run-selected", "connect-selected", "group", "make-sub-pipeline"]],
  [
    "In line",
    ["align-left", "align-top", "distribute-horizontally", "distribute-vertically", "tidy-up"],
  ],
  ["Each of them", ["duplicate", "copy", "disable", "delete"]],
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
      <div className="pd-settings-body pd-scroll">
        {ACTIONS.map(([title, commands]) => (
          <section className="pd-section" aria-label={title} key={title}>
            <h3 className="pd-heading">{title}</h3>
            <div className="pd-actions">
              {commands.map((command) => (
                <CommandButton
                  key={command}
                  command={command}
                  data-kind={command === "delete" ? "danger" : undefined}
                />
              ))}
            </div>
          </section>
        ))}
      </div>
    </>
  );
}
