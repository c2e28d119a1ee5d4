/** Mark of a node with parameters that a sweep varies. */

import { FlaskConical } from "lucide-react";
import type { ReactElement } from "react";

import { sweptTitles } from "../graph/sweep";
import { t } from "../graph/translate";
import { selectCatalog, selectDocument } from "../store/selectors";
import { useEditorState } from "../view/context";

export function SweepMark({ node }: { readonly node: string }): ReactElement | null {
  const names = useEditorState((state) =>
    sweptTitles(selectDocument(state), selectCatalog(state), node),
  );
  if (names === "") return null;
  const words = t("Varied by the sweep: {names}", { names });
  return (
    <span className="pd-badge" data-severity="try" title={words}>
      <FlaskConical size={11} aria-label={words} />
    </span>
  );
}
