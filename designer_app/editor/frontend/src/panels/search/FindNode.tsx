/** Searching in the graph: by title, id, module, comment or status. */

import type { ReactElement } from "react";

import { searchNodes, titleOf } from "../../graph/search";
import { useEditor, useEditorState } from "../../view/context";
import { goToNode } from "../../commands/goTo";
import { ModuleIcon } from "../../ui/ModuleIcon";
import { selectCatalog, selectDocument, selectSteps } from "../../store/selectors";
import { Finder } from "./Finder";

export function FindNode(): ReactElement {
  const editor = useEditor();
  const catalog = useEditorState(selectCatalog);
  const document = useEditorState(selectDocument);
  const steps = useEditorState(selectSteps);
  return (
    <Finder
      label="Find a node"
      placeholder="Find a node; Shift+Enter adds it to the selection"
      testId="find-node"
      at={null}
      find={(query) =>
        searchNodes(document, catalog, query, steps).map((node) => ({
          id: node.id,
          title: titleOf(node, catalog),
          detail: [catalog.byId.get(node.module)?.title, steps[node.id]?.status]
            .filter(Boolean)
            .join(" · "),
          icon: <ModuleIcon module={catalog.byId.get(node.module)} catalog={catalog} />,
        }))
      }
      onChoose={(id, also) => {
        editor.closeDialog();
        const before = editor.state.selection.nodes.filter((each) => each !== id);
        goToNode(editor, id);
        if (also) editor.select({ nodes: [...before, id] });
      }}
      onClose={() => editor.closeDialog()}
      nothing="No node matches. A status works too: try “failed”."
    />
  );
}
