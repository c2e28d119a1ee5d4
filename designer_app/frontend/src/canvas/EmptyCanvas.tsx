/** Hints on an empty canvas. */

import { MousePointerClick, Search } from "lucide-react";
import type { ReactElement } from "react";

import { Button, CommandButton } from "../ui/buttons";
import { useEditor } from "../view/context";
import { t } from "../graph/translate";

export function EmptyCanvas(): ReactElement {
  const editor = useEditor();
  return (
    <div className="pd-start">
      <MousePointerClick size={26} aria-hidden className="pd-dim" />
      <h2>{t("Build a pipeline")}</h2>
      <p className="pd-dim">
        {t(
          "Drop a folder or zip of images here, drag Import Images from the left, or double-click to search. Then connect an output (right side of a node) to an input (left side of the next node).",
        )}
      </p>
      <div className="pd-start-actions">
        <Button
          kind="primary"
          onClick={() => editor.openDialog({ kind: "module search", at: null, from: null })}
        >
          <Search size={14} aria-hidden /> {t("Add the first module")}
        </Button>
        <CommandButton command="tour" />
      </div>
    </div>
  );
}
