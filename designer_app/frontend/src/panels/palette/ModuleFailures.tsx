/** Module files of the user that could not be loaded: which, why, and how to fix them. */

import { TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";

import type { CatalogFailure } from "../../graph/types";
import { selectPane } from "../../store/selectors";
import { IconButton } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { t } from "../../graph/translate";

/** Limit, so that a folder of broken files does not push working modules out of sight. */
const MOST = 5;

interface Props {
  readonly failures: readonly CatalogFailure[];
}

/** List of failures; in a collapsed palette an icon that expands it. */
export function ModuleFailures({ failures }: Props): ReactElement {
  const editor = useEditor();
  const isUnfolded = useEditorState(selectPane("palette"));
  if (!isUnfolded) {
    return (
      <IconButton
        icon={TriangleAlert}
        label={t("{count:,} {count:module|modules} could not be loaded. Show errors", {
          count: failures.length,
        })}
        className="pd-icon-button pd-failures-sign"
        data-testid="module-failures-sign"
        onClick={() => editor.togglePane("palette")}
      />
    );
  }
  const rest = failures.length - MOST;
  return (
    <section
      className="pd-module-failures"
      aria-label={t("Modules that could not be loaded")}
      data-testid="module-failures"
    >
      <ul>
        {failures.slice(0, MOST).map((failure) => (
          <li key={`${failure.source}:${failure.line ?? ""}:${failure.message}`}>
            <p title={failure.source}>
              <TriangleAlert size={13} aria-hidden />
              <strong>{place(failure)}</strong>
            </p>
            <p>{failure.message}</p>
            <p>{failure.cure}</p>
          </li>
        ))}
      </ul>
      {rest > 0 && <p>{t("And {rest} more. Run `designer modules` to list them.", { rest })}</p>}
      <p>{t("Fix the files, then reload this page.")}</p>
    </section>
  );
}

/** `triple.py, line 3`; the full name of an entry point. */
function place({ source, line }: CatalogFailure): string {
  const file = source.split(/[/\\]/).at(-1) ?? source;
  return line === null ? file : t("{file}, line {line}", { file, line });
}
