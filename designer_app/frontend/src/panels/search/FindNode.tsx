/** Search in the graph: by title, id, module, comment or status. */

import { type ReactElement, useMemo } from "react";

import { placeAround, stepAt } from "../../graph/paths";
import { everyNode } from "../../graph/places";
import { searchNodes } from "../../graph/search";
import { useEditor, useEditorState } from "../../view/context";
import { goToNode } from "../../commands/goTo";
import { titleAmong } from "../../graph/titles";
import { ModuleIcon } from "../../ui/ModuleIcon";
import { selectCatalog, selectPlace, selectSteps, selectWhole } from "../../store/selectors";
import { Finder } from "./Finder";
import { t } from "../../graph/translate";

export function FindNode(): ReactElement {
  const editor = useEditor();
  const catalog = useEditorState(selectCatalog);
  const place = useEditorState(selectPlace);
  const whole = useEditorState(selectWhole);
  const steps = useEditorState(selectSteps);
  const all = useMemo(() => everyNode(whole)(catalog), [whole, catalog]);
  const around = new Map(all.map((entry) => [entry.path, entry.around]));
  const twins = useMemo(() => all.map((entry) => entry.node), [all]);
  const titles = new Map(all.map((entry) => [entry.path, entry.node]));
  return (
    <Finder
      label={t("Find node")}
      placeholder={t("Find node (Shift+Enter adds it to the selection)")}
      testId="find-node"
      at={null}
      find={(query) =>
        searchNodes([...titles.values()], catalog, query, steps).map((node) => ({
          id: node.id,
          title: titleAmong(twins, node, catalog),
          detail: [
            ...(around.get(node.id) ?? []),
            catalog.byId.get(node.module)?.title,
            stepAt(steps, node.id)?.status,
          ]
            .filter(Boolean)
            .join(" · "),
          icon: <ModuleIcon module={catalog.byId.get(node.module)} catalog={catalog} />,
        }))
      }
      onChoose={(id, also) => {
        editor.closeDialog();
        const before = editor.state.selection.nodes.filter((other) => other !== id);
        goToNode(editor, id);
        if (also && placeAround(id) === place) editor.select({ nodes: [...before, id] });
      }}
      onClose={() => editor.closeDialog()}
      nothing={t("No nodes found. You can also search by status, for example “failed”.")}
    />
  );
}
