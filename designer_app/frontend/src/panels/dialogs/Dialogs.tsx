/** The open dialog, if any. */

import { lazy, type ReactElement, Suspense } from "react";

import { importWithRetry } from "../../ui/importWithRetry";
import { useEditorState, useViewState } from "../../view/context";
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
const CodeDialog = lazy(() => importWithRetry(() => import("../code/CodeDialog")));

export function Dialogs(): ReactElement | null {
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
