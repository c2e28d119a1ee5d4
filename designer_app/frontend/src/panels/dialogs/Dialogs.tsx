/** The open dialog, if any, and the list of a comparison. */

import { lazy, type ReactElement, Suspense } from "react";
import { useStore } from "zustand";

import { comparisonOf } from "../../store/comparisonStore";
import { importWithRetry } from "../../ui/importWithRetry";
import { useEditor, useEditorState, useViewState } from "../../view/context";
import { selectDrawer } from "../../view/viewStore";
import { selectDialog } from "../../store/selectors";
import { CommandPalette } from "../search/CommandPalette";
import { FindNode } from "../search/FindNode";
import { ModuleSearch } from "../search/ModuleSearch";
import { ConflictDialog } from "./ConflictDialog";
import { ModuleDocumentation } from "./ModuleDocumentation";
import { StopDialog } from "./StopDialog";
import { SubmitDialog } from "./SubmitDialog";

const Revisions = lazy(() => importWithRetry(() => import("./Revisions")));
const Shortcuts = lazy(() => importWithRetry(() => import("./Shortcuts")));
const CompareWith = lazy(() => importWithRetry(() => import("./CompareWith")));
const ComparisonPanel = lazy(() => importWithRetry(() => import("../comparison/ComparisonPanel")));
const CodeDialog = lazy(() => importWithRetry(() => import("../code/CodeDialog")));

export function Dialogs(): ReactElement {
  const comparison = useStore(comparisonOf(useEditor()));
  return (
    <>
      <OpenDialog />
      {comparison && (
        <Suspense>
          <ComparisonPanel comparison={comparison} />
        </Suspense>
      )}
    </>
  );
}

function OpenDialog(): ReactElement | null {
  const dialog = useEditorState(selectDialog);
  const drawer = useViewState(selectDrawer);
  switch (dialog?.kind) {
    case "module search":
      return <ModuleSearch at={dialog.at} from={dialog.from} />;
    case "submit":
      return <SubmitDialog />;
    case "shortcuts":
      return (
        <Suspense>
          <Shortcuts />
        </Suspense>
      );
    case "commands":
      return <CommandPalette />;
    case "find":
      return <FindNode />;
    case "documentation":
      return <ModuleDocumentation id={dialog.module} />;
    case "stop":
      return <StopDialog />;
    case "conflict":
      return <ConflictDialog />;
    case "compare":
      return (
        <Suspense>
          <CompareWith />
        </Suspense>
      );
    case "code":
      return (
        <Suspense>
          <CodeDialog />
        </Suspense>
      );
    default:
      return drawer === "revisions" ? (
        <Suspense>
          <Revisions />
        </Suspense>
      ) : null;
  }
}
