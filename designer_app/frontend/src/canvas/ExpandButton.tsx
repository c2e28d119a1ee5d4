/** Button on the title bar of a collapsed node. */

import { ChevronsUpDown } from "lucide-react";
import type { ReactElement } from "react";

import { perform } from "../commands/registry";
import { t } from "../graph/translate";
import { selectIsReadOnly } from "../store/selectors";
import { useEditor, useEditorState } from "../view/context";

interface Props {
  readonly node: string;
  readonly title: string;
}

export function ExpandButton({ node, title }: Props): ReactElement | null {
  const editor = useEditor();
  const frozen = useEditorState(selectIsReadOnly);
  if (frozen) return null;
  return (
    <button
      type="button"
      className="pd-tiny nodrag"
      aria-expanded={false}
      aria-label={t("Expand {title}", { title })}
      title={t("Expand")}
      tabIndex={-1}
      onClick={() => perform(editor, "collapse-nodes", { node })}
    >
      <ChevronsUpDown size={14} aria-hidden />
    </button>
  );
}
