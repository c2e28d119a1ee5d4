/** Button that adds a package to a node's environment: to its next version, or to a copy of a
 * built-in one. */

import { type ReactElement, useCallback, useState } from "react";

import { listEnvironments } from "../api/environments";
import { addPackage, environmentOf } from "../commands/addPackage";
import { type AddedPackage, addedWords } from "../graph/remedies";
import { useEditor } from "../view/context";
import { useAnswer } from "../view/useAnswer";
import { Button } from "./buttons";

interface Props {
  readonly adds: AddedPackage;
  readonly kind: "primary" | undefined;
  readonly testId: string | undefined;
  readonly onDone: (() => void) | undefined;
}

export default function AddPackageButton({ adds, kind, testId, onDone }: Props): ReactElement {
  const editor = useEditor();
  const [adding, setAdding] = useState(false);
  const { value: there } = useAnswer(useCallback(() => listEnvironments(editor.api), [editor]));
  const isCopied = environmentOf(there ?? [], adds.environment)?.curated ?? false;
  const add = async (): Promise<void> => {
    setAdding(true);
    const isAdded = await addPackage(editor, adds);
    setAdding(false);
    if (isAdded) onDone?.();
  };
  return (
    <Button
      small
      kind={kind}
      disabled={adding}
      data-testid={testId ?? "add-package"}
      onClick={() => void add()}
    >
      {addedWords(adds.name, adds.environment, isCopied)}
    </Button>
  );
}
