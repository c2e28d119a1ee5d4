/** Button that fixes a problem; nothing if there is no automatic fix. */

import { lazy, type ReactElement, Suspense } from "react";

import { perform } from "../commands/registry";
import { remedyOf } from "../graph/remedies";
import type { Problem } from "../graph/types";
import { selectCatalog, selectDocument } from "../store/selectors";
import { Button } from "./buttons";
import { useEditor, useEditorState } from "../view/context";
import { importWithRetry } from "./importWithRetry";

const AddPackageButton = lazy(() => importWithRetry(() => import("./AddPackageButton")));

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
  if (remedy.adds) {
    return (
      <Suspense>
        <AddPackageButton adds={remedy.adds} kind={kind} testId={testId} onDone={onDone} />
      </Suspense>
    );
  }
  return (
    <Button
      small
      kind={kind}
      data-testid={testId}
      onClick={() => {
        if (remedy.edit) perform(editor, "cure", { problem });
        else editor.openDialog({ kind: remedy.dialog });
        onDone?.();
      }}
    >
      {remedy.label}
    </Button>
  );
}
