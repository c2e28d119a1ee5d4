/** The button that cures a problem; nothing where no button can. */

import type { ReactElement } from "react";

import { perform } from "../commands/registry";
import { remedyOf } from "../graph/remedies";
import type { Problem } from "../graph/types";
import { selectCatalog, selectDocument } from "../store/selectors";
import { Button } from "./buttons";
import { useEditor, useEditorState } from "../view/context";

interface Props {
  readonly problem: Problem;
  readonly kind?: "primary";
  readonly testId?: string;
  readonly onDone?: () => void;
}

export function RemedyButton({ problem, kind, testId, onDone }: Props): ReactElement | null {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const remedy = remedyOf(problem, document, catalog);
  if (!remedy) return null;
  return (
    <Button
      small
      kind={kind}
      data-testid={testId}
      onClick={() => {
        perform(editor, "cure", { problem });
        onDone?.();
      }}
    >
      {remedy.label}
    </Button>
  );
}
