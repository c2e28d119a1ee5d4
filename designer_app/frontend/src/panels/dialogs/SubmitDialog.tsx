/** Dialog before a run: experiment and name, compute target, estimate. */

import { FlaskConical, Play } from "lucide-react";
import { type FormEvent, type ReactElement, useEffect, useId, useState } from "react";

import { listExperiments } from "../../api/runs";
import { startSweep } from "../../api/sweeps";
import { isForeignCode } from "../../graph/problems";
import { sweepOf } from "../../graph/sweepOf";
import { goOnPage } from "../../store/pageHost";
import { Button } from "../../ui/buttons";
import { useEditor, useEditorState, useView } from "../../view/context";
import { Dialog } from "../../ui/Dialog";
import { showDock } from "../../view/dock";
import { selectNumErrors, selectProblems, selectTargets, selectWhole } from "../../store/selectors";
import { ForecastSummary } from "./ForecastSummary";
import { RunParameters } from "./RunParameters";
import { SweepFields } from "./SweepFields";
import { t } from "../../graph/translate";
import { rich } from "../../ui/richText";

export function SubmitDialog(): ReactElement {
  const editor = useEditor();
  const document = useEditorState(selectWhole);
  const targets = useEditorState(selectTargets);
  const [sending, setSending] = useState(false);
  const [seconds, setSeconds] = useState<number | null>(null);
  const sweep = sweepOf(document);
  const [once, setOnce] = useState(false);
  const isSweep = sweep !== undefined && !once;
  const experiments = useExperiments();
  const [list, form] = [useId(), useId()];
  const errors = useEditorState(selectNumErrors);
  useEffect(() => {
    if (selectNumErrors(editor.state) === 0) return; // the forecast waits for both
    // the last problems may be older than code written here while the server was unavailable
    const settled = editor.code.settle().then(() => editor.checking.settle());
    settled.catch(() => undefined);
  }, [editor]);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (sending || errors > 0) return;
    const data = new FormData(event.currentTarget);
    const text = (name: string): string | null => String(data.get(name) ?? "").trim() || null;
    setSending(true);
    if (isSweep) {
      await editor.code.settle();
      const request = {
        document: editor.state.whole,
        pipeline_id: editor.id,
        experiment: text("experiment"),
        description: text("description") ?? "",
      };
      try {
        const started = await startSweep(editor.api, request);
        editor.closeDialog();
        goOnPage({ page: "sweep", sweep: started });
      } catch (error) {
        editor.notifyError(error);
      }
      setSending(false);
      return;
    }
    const answer = await editor.runs.submit({
      name: text("name"),
      experiment: text("experiment"),
      description: text("description") ?? "",
      target: text("target"),
    });
    setSending(false);
    if (answer !== null) editor.closeDialog();
  };
  const footer = (
    <>
      <Button onClick={() => editor.closeDialog()}>{t("Cancel")}</Button>
      <Button
        kind="primary"
        type="submit"
        form={form}
        disabled={sending || errors > 0}
        data-testid="submit-confirm"
      >
        {isSweep ? <FlaskConical size={14} aria-hidden /> : <Play size={14} aria-hidden />}{" "}
        {sending ? t("Starting") : isSweep ? t("Start sweep") : t("Run")} <kbd>{t("Ctrl ↵")}</kbd>
      </Button>
    </>
  );
  return (
    <Dialog title={t("Run pipeline")} onClose={() => editor.closeDialog()} footer={footer} steady>
      <form id={form} className="pd-form" onSubmit={(event) => void submit(event)}>
        {sweep && (
          <div role="radiogroup" aria-label={t("What to run")} className="pd-sweep-choice">
            <label>
              <input type="radio" checked={!once} onChange={() => setOnce(false)} /> {t("Sweep")}
            </label>
            <label>
              <input
                type="radio"
                checked={once}
                data-testid="sweep-once"
                onChange={() => setOnce(true)}
              />{" "}
              {t("One run with the values on the canvas")}
            </label>
          </div>
        )}
        {isSweep && <SweepFields sweep={sweep} seconds={seconds} />}
        <label>
          {t("Experiment")}
          <input
            className="pd-input"
            name="experiment"
            data-first
            list={list}
            maxLength={200}
            defaultValue={document.name || document.id}
            data-testid="submit-experiment"
          />
        </label>
        <datalist id={list}>
          {experiments.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {!isSweep && (
          <label>
            {t("Run name")}
            <input
              className="pd-input"
              name="name"
              maxLength={200}
              placeholder={t("Optional. Default: what changed since the last run")}
              data-testid="submit-name"
            />
          </label>
        )}
        <label>
          {t("Description")}
          <textarea
            className="pd-input"
            name="description"
            rows={2}
            maxLength={20_000}
            placeholder={t("What is new in this run?")}
          />
        </label>
        {!isSweep && (
          <label>
            {t("Compute target")}
            <select className="pd-input" name="target" defaultValue="" data-testid="submit-target">
              <option value="">
                {t("{target} (pipeline default)", { target: document.settings.target })}
              </option>
              {targets.map((target) => (
                <option key={target.name} value={target.name}>
                  {target.name}
                </option>
              ))}
            </select>
          </label>
        )}
        <RunParameters />
      </form>
      {errors > 0 ? (
        <Hindrance errors={errors} />
      ) : (
        <ForecastSummary onSeconds={setSeconds} sweep={isSweep ? sweep : undefined} />
      )}
    </Dialog>
  );
}

function Hindrance({ errors }: { readonly errors: number }): ReactElement {
  const editor = useEditor();
  const view = useView();
  const isForeign = useEditorState(selectProblems).some(isForeignCode);
  const show = (): void => {
    editor.closeDialog();
    showDock(editor, view, "problems");
  };
  return (
    <div className="pd-box" data-kind="error" role="alert">
      {rich("{problems} must be fixed before the pipeline can run.", {
        problems: <b>{t("{count:,} {count:problem|problems}", { count: errors })}</b>,
      })}{" "}
      <button type="button" className="pd-link" onClick={show}>
        {t("Show problems")}
      </button>
      {isForeign && (
        <p>
          {t("This pipeline contains code that is not approved on this machine.")}{" "}
          <Button
            small
            data-testid="submit-look"
            onClick={() => editor.openDialog({ kind: "code" })}
          >
            {t("Review code")}
          </Button>
        </p>
      )}
    </div>
  );
}

function useExperiments(): readonly string[] {
  const editor = useEditor();
  const [experiments, setExperiments] = useState<readonly string[]>([]);
  useEffect(() => {
    let over = false;
    void listExperiments(editor.api)
      .then((loaded) => !over && setExperiments(loaded))
      .catch(() => undefined);
    return () => {
      over = true;
    };
  }, [editor]);
  return experiments;
}
