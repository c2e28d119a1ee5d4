/** Saved versions of this pipeline, each with its name, changes, and a button to restore it. */

import { type ReactElement, useCallback, useEffect, useState } from "react";

import { listRevisions, restoreRevision } from "../../api/pipelines";
import type { RevisionEntry } from "../../api/types.gen";
import { Button } from "../../ui/buttons";
import { useEditor, useView } from "../../view/context";
import { Dialog } from "../../ui/Dialog";
import { formatMoment } from "../../view/format";
import { RevisionName } from "./RevisionName";
import { t } from "../../graph/translate";

export default function Revisions(): ReactElement {
  const editor = useEditor();
  const view = useView();
  const [revisions, setRevisions] = useState<readonly RevisionEntry[] | null>(null);
  const [busy, setBusy] = useState(false);
  const close = useCallback(() => view.setState({ drawer: null }), [view]);
  useEffect(() => {
    let over = false;
    editor
      .flush()
      .then(() => listRevisions(editor.api, editor.id))
      .then((loaded) => !over && setRevisions(loaded))
      .catch((error: unknown) => {
        editor.notifyError(error);
        close();
      });
    return () => {
      over = true;
    };
  }, [editor, close]);
  const restore = async (revision: number): Promise<void> => {
    setBusy(true);
    try {
      await restoreRevision(editor.api, editor.id, revision);
      await editor.reload(t("Restore version {revision}", { revision }));
      close();
    } catch (error) {
      editor.notifyError(error);
    }
    setBusy(false);
  };
  const compare = async (revision: number): Promise<void> => {
    close();
    const { startComparing } = await import("../../store/comparison");
    const reference = `pipeline:${editor.id}@${revision}`;
    await startComparing(editor, { reference, label: t("version {revision}", { revision }) });
  };
  return (
    <Dialog title={t("Pipeline versions")} wide onClose={close}>
      {revisions === null && (
        <p role="status">
          <span className="pd-spinner" /> {t("Loading versions ...")}
        </p>
      )}
      {revisions?.map((revision, place) => (
        <div
          className="pd-revision"
          key={revision.revision}
          data-testid={`revision-${revision.revision}`}
        >
          <div>
            <RevisionName revision={revision.revision} name={revision.name} />
            <span className="pd-dim">
              {formatMoment(revision.created)} ·{" "}
              {t("{count:,} {count:node|nodes}", { count: revision.num_nodes })}
            </span>
            <p>{revision.changes || t("No versions yet.")}</p>
          </div>
          {place === 0 ? (
            <span className="pd-dim">{t("now")}</span>
          ) : (
            <>
              <Button small disabled={busy} onClick={() => void compare(revision.revision)}>
                {t("Compare")}
              </Button>
              <Button small disabled={busy} onClick={() => void restore(revision.revision)}>
                {t("Restore")}
              </Button>
            </>
          )}
        </div>
      ))}
    </Dialog>
  );
}
