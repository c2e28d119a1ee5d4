/** Toolbar: name and save state, edit commands, run commands. */

import {
  Ellipsis,
  FolderOpen,
  LayoutDashboard,
  PanelRight,
  Redo2,
  Search,
  Undo2,
} from "lucide-react";
import type { ReactElement } from "react";

import { CommandButton, IconButton } from "../../ui/buttons";
import { useEditor, useEditorState, useView } from "../../view/context";
import { selectPane } from "../../store/selectors";
import { PipelineName } from "./PipelineName";
import { ProblemCount } from "./ProblemCount";
import { RunControls } from "./RunControls";
import { SaveMark } from "./SaveMark";
import { t } from "../../graph/translate";

export function TopBar(): ReactElement {
  const editor = useEditor();
  const view = useView();
  const settings = useEditorState(selectPane("settings"));
  const openMore = (element: HTMLElement): void => {
    const box = element.getBoundingClientRect();
    view.setState({ menu: { x: box.left, y: box.bottom + 6, on: "more" } });
  };
  return (
    <header data-region className="pd-bar" aria-label={t("Pipeline")} role="toolbar">
      <PipelineName />
      <SaveMark />
      <span className="pd-bar-space" />
      <div className="pd-bar-group" role="group" aria-label={t("Edit")}>
        <CommandButton command="undo" icon={Undo2} data-testid="undo" />
        <CommandButton command="redo" icon={Redo2} data-testid="redo" />
        <span className="pd-separator pd-tablet-only" />
        <span className="pd-tablet-only pd-bar-group">
          <CommandButton command="tidy-up" icon={LayoutDashboard} data-testid="tidy" />
          <CommandButton command="find-node" icon={Search} />
          <span className="pd-roomy-only pd-bar-group">
            <CommandButton command="import" icon={FolderOpen} />
          </span>
        </span>
        <IconButton
          icon={Ellipsis}
          label={t("More")}
          aria-haspopup="menu"
          data-testid="more"
          onClick={(event) => openMore(event.currentTarget)}
        />
      </div>
      <span className="pd-separator" />
      <ProblemCount />
      <RunControls />
      <IconButton
        icon={PanelRight}
        label={t("Settings")}
        aria-pressed={settings}
        onClick={() => editor.togglePane("settings")}
      />
    </header>
  );
}
