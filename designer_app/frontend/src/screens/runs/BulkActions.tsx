/** Actions on the selected runs: compare, tag, delete. */

import { type FormEvent, type ReactElement, useState } from "react";

import { ApiError, type Api } from "../../api/client";
import { deleteRun, tagRun } from "../../api/history";
import { Button } from "../../ui/buttons";
import { Dialog } from "../../ui/Dialog";
import type { RunItem } from "./trials";
import { isUnderWay } from "./useHistory";
import { t } from "../../graph/translate";

const MOST_COMPARED = 8;

interface Props {
  readonly api: Api;
  readonly chosen: readonly string[];
  readonly runs: readonly RunItem[];
  readonly tags: readonly string[];
  readonly onCompare: () => void;
  readonly onNone: () => void;
  /** Called after a change: reload. */
  readonly onChanged: () => void;
}

export function BulkActions(props: Props): ReactElement {
  const { api, chosen, runs, tags, onCompare, onNone, onChanged } = props;
  const [asks, setAsks] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const fits = chosen.length >= 2 && chosen.length <= MOST_COMPARED;
  const advice =
    chosen.length < 2
      ? t("Select one more run to compare.")
      : t("Select at most {MOST_COMPARED} runs.", { MOST_COMPARED });
  const forEachRun = async (action: (run: string) => Promise<unknown>): Promise<void> => {
    setFailed(null);
    try {
      for (const run of chosen) await action(run);
    } catch (error) {
      setFailed(error instanceof ApiError ? `${error.message} ${error.cure}` : String(error));
    }
    onChanged();
  };
  const tag = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get("tag") ?? "").trim();
    if (name) void forEachRun((run) => tagRun(api, run, name)).then(() => form.reset());
  };
  const remove = async (): Promise<void> => {
    setAsks(false);
    await forEachRun((run) => deleteRun(api, run));
    onNone();
  };
  const underWay = runs.some((run) => chosen.includes(run.run_id) && isUnderWay(run));
  return (
    <>
      <b>{t("{count:,} {count:run|runs} selected", { count: chosen.length })}</b>
      <Button kind="primary" disabled={!fits} data-testid="compare" onClick={onCompare}>
        {t("Compare")}
      </Button>
      <form className="pd-runs-tag" onSubmit={tag}>
        <input
          className="pd-input"
          name="tag"
          aria-label={t("Tag")}
          placeholder={t("Tag")}
          maxLength={60}
          list="pd-run-tags"
          data-testid="bulk-tag"
        />
        <datalist id="pd-run-tags">
          {tags.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button type="submit">{t("Add tag")}</Button>
      </form>
      <Button
        disabled={underWay}
        title={underWay ? t("An active run cannot be deleted. Cancel it first.") : undefined}
        data-testid="bulk-delete"
        onClick={() => setAsks(true)}
      >
        {t("Delete")}
      </Button>
      <Button onClick={onNone}>{t("Clear selection")}</Button>
      {failed ? <span className="pd-runs-failed">{failed}</span> : !fits && <span>{advice}</span>}
      {asks && (
        <Dialog
          title={t("Delete {count:,} {count:run|runs}?", { count: chosen.length })}
          onClose={() => setAsks(false)}
          footer={
            <>
              <Button onClick={() => setAsks(false)}>{t("Cancel")}</Button>
              <Button kind="danger" data-testid="bulk-delete-go" onClick={() => void remove()}>
                {t("Delete")}
              </Button>
            </>
          }
        >
          <p>
            {t(
              "Their logs and outputs that nothing else needs are deleted. Outputs of other runs and registered models are kept. This cannot be undone.",
            )}
          </p>
        </Dialog>
      )}
    </>
  );
}
