/** Actions on the selected runs: compare, tag, delete. */

import { type FormEvent, type ReactElement, useState } from "react";

import { ApiError, type Api } from "../../api/client";
import { deleteRun, tagRun } from "../../api/history";
import type { ListedRun } from "../../api/types.gen";
import { Button } from "../../ui/buttons";
import { Dialog } from "../../ui/Dialog";
import { plural } from "../../view/format";
import { isUnderWay } from "./useHistory";

const MOST_COMPARED = 8;

interface Props {
  readonly api: Api;
  readonly chosen: readonly string[];
  readonly runs: readonly ListedRun[];
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
    chosen.length < 2 ? "Select one more run to compare." : `Select at most ${MOST_COMPARED} runs.`;
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
      <b>{plural(chosen.length, "run")} selected</b>
      <Button kind="primary" disabled={!fits} data-testid="compare" onClick={onCompare}>
        Compare
      </Button>
      <form className="pd-runs-tag" onSubmit={tag}>
        <input
          className="pd-input"
          name="tag"
          aria-label="Tag"
          placeholder="Tag"
          maxLength={60}
          list="pd-run-tags"
          data-testid="bulk-tag"
        />
        <datalist id="pd-run-tags">
          {tags.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button type="submit">Add tag</Button>
      </form>
      <Button
        disabled={underWay}
        title={underWay ? "An active run cannot be deleted. Cancel it first." : undefined}
        data-testid="bulk-delete"
        onClick={() => setAsks(true)}
      >
        Delete
      </Button>
      <Button onClick={onNone}>Clear selection</Button>
      {failed ? <span className="pd-runs-failed">{failed}</span> : !fits && <span>{advice}</span>}
      {asks && (
        <Dialog
          title={`Delete ${plural(chosen.length, "run")}?`}
          onClose={() => setAsks(false)}
          footer={
            <>
              <Button onClick={() => setAsks(false)}>Cancel</Button>
              <Button kind="danger" data-testid="bulk-delete-go" onClick={() => void remove()}>
                Delete
              </Button>
            </>
          }
        >
          <p>
            Their logs and outputs that nothing else needs are deleted. Outputs of other runs and
            registered models are kept. This cannot be undone.
          </p>
        </Dialog>
      )}
    </>
  );
}
