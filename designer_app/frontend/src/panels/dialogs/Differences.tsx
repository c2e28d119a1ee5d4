/** Changes of two versions, side by side, or their differences if the base is not known. */

import type { ReactElement } from "react";

import { changesOf } from "../../graph/documentDiff";
import { selectCatalog, selectWhole } from "../../store/selectors";
import type { Conflict } from "../../store/types";
import { useEditorState } from "../../view/context";
import { t } from "../../graph/translate";

/** More rows would push the buttons off the dialog. */
const MOST = 8;

export function Differences({ conflict }: { readonly conflict: Conflict }): ReactElement | null {
  const catalog = useEditorState(selectCatalog);
  const ours = useEditorState(selectWhole);
  const { base, theirs } = conflict;
  if (!theirs) return null;
  if (!base) {
    return (
      <Changes
        title={t("Your edits to the saved version")}
        all={changesOf(theirs, ours, catalog)}
      />
    );
  }
  return (
    <div className="pd-versions-compared" data-testid="conflict-differences">
      <Changes title={t("You changed")} all={changesOf(base, ours, catalog)} />
      <Changes title={t("They changed")} all={changesOf(base, theirs, catalog)} />
    </div>
  );
}

function Changes(props: { readonly title: string; readonly all: readonly string[] }): ReactElement {
  const { title, all } = props;
  return (
    <section className="pd-changes">
      <h3>{title}</h3>
      <ul>
        {all.slice(0, MOST).map((change) => (
          <li key={change}>{change}</li>
        ))}
        {all.length > MOST && <li>{t("and {count:,} more", { count: all.length - MOST })}</li>}
        {all.length === 0 && <li>{t("only positions, notes or groups")}</li>}
      </ul>
    </section>
  );
}
