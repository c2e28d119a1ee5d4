/** Pane for several selected nodes: their common settings, and commands for all of them. */

import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  type LucideIcon,
  Network,
} from "lucide-react";
import type { ReactElement } from "react";

import { CommandButton } from "../../ui/buttons";
import { SharedSettings } from "./SharedSettings";
import { t } from "../../graph/translate";

interface Props {
  readonly ids: readonly string[];
}

const IN_LINE: readonly (readonly [string, LucideIcon])[] = [
  ["align-left", AlignStartVertical],
  ["align-centre", AlignCenterVertical],
  ["align-right", AlignEndVertical],
  ["align-top", AlignStartHorizontal],
  ["align-middle", AlignCenterHorizontal],
  ["align-bottom", AlignEndHorizontal],
  ["distribute-horizontally", AlignHorizontalDistributeCenter],
  ["distribute-vertically", AlignVerticalDistributeCenter],
  ["tidy-up", Network],
];

const ACTIONS = [
  [t("Selection"), 1, ["run-selected", "connect-selected", "group", "make-sub-pipeline"]],
  [t("Each node"), 2, ["duplicate", "copy", "disable", "collapse-nodes", "delete"]],
] as const;

export function ManyNodes({ ids }: Props): ReactElement {
  return (
    <>
      <header className="pd-settings-head">
        <div className="pd-pane-head">
          <h2>{t("{count:,} {count:node|nodes} selected", { count: ids.length })}</h2>
        </div>
        <p>{t("Changes here apply to all selected nodes.")}</p>
        <div className="pd-align" role="group" aria-label={t("Align")}>
          {IN_LINE.map(([command, icon]) => (
            <CommandButton key={command} command={command} icon={icon} />
          ))}
        </div>
      </header>
      <div className="pd-settings-body pd-scroll">
        <SharedSettings ids={ids} />
        {ACTIONS.map(([title, columns, commands]) => (
          <section className="pd-section" aria-label={title} key={title}>
            <h3 className="pd-heading">{title}</h3>
            <div className="pd-actions" data-columns={columns}>
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
