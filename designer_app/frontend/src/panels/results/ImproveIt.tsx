/** Ways to improve the result of a run with frozen layers, and the comparison afterwards. */

import { type ReactElement, useMemo } from "react";

import { fetchImprovements, fetchLearningCurve } from "../../api/runs";
import type { FirstResult, Improvement } from "../../api/types.gen";
import { improve, improving } from "../../commands/improve";
import { fixAndRerun } from "../../commands/rerun";
import { t } from "../../graph/translate";
import { selectIsReadOnly, selectIsRunning, selectPlace } from "../../store/selectors";
import type { EditorState } from "../../store/types";
import { Button } from "../../ui/buttons";
import { PageLink } from "../../ui/PageLink";
import { useEditor, useEditorState } from "../../view/context";
import { formatSeconds } from "../../view/format";
import { useAnswer } from "../../view/useAnswer";

/** Estimate below which all outputs exist and are reused. */
const EXISTS_SECONDS = 0.1;

/** Return the run if it has completed. */
const selectCompleted = ({ run }: EditorState): string | null =>
  run?.state.status === "completed" ? run.id : null;

export default function ImproveIt(): ReactElement | null {
  const editor = useEditor();
  const run = useEditorState(selectCompleted);
  const ask = useMemo(() => run && (() => fetchImprovements(editor.api, run)), [editor, run]);
  const { value } = useAnswer(ask || null);
  if (!run || !value || (!value.first && value.choices.length === 0)) return null;
  return (
    <section className="pd-improve" aria-label={t("Improve it")} data-testid="improve">
      {value.first && <Comparison run={run} first={value.first} />}
      {value.choices.length > 0 && (
        <>
          <h3>{t("Improve it")}</h3>
          <p>{value.verdict}</p>
          {value.few_images && <FewImages run={run} words={value.few_images} />}
          <ul>
            {value.choices.map((choice) => (
              <Choice key={choice.kind} choice={choice} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Warning about few images, with the learning curve of the set as soon as it is computed. */
function FewImages({ run, words }: { readonly run: string; readonly words: string }): ReactElement {
  const editor = useEditor();
  const ask = useMemo(() => () => fetchLearningCurve(editor.api, run), [editor, run]);
  const { value, failed } = useAnswer(ask);
  return (
    <p data-testid="few-images">
      <b>{words}</b> {value?.text ?? failed ?? t("Computing the learning curve …")}
    </p>
  );
}

function Choice({ choice }: { readonly choice: Improvement }): ReactElement {
  const editor = useEditor();
  const running = useEditorState(selectIsRunning);
  const place = useEditorState(selectPlace);
  const frozen = useEditorState(selectIsReadOnly);
  const kind = choice.recommended ? "primary" : undefined;
  const start = (): void => {
    if (frozen) void fixAndRerun(editor, improving(choice));
    else improve(editor, choice);
  };
  return (
    <li>
      <div className="pd-improve-head">
        <b>{choice.title}</b>
        <span className="pd-dim">
          {choice.seconds < EXISTS_SECONDS
            ? t("already computed")
            : t("about {time}", { time: formatSeconds(choice.seconds) })}
        </span>
      </div>
      <p>
        {choice.text} {choice.expected}
      </p>
      <Button
        small
        kind={kind}
        disabled={running || Boolean(place)}
        title={
          frozen
            ? t("Start a new run with these settings; the saved pipeline is not changed")
            : t("Change these settings in the pipeline and open Run; Undo restores them")
        }
        data-testid={`improve-${choice.kind}`}
        onClick={start}
      >
        {frozen ? t("Run with these settings") : t("Apply and run...")}
      </Button>
    </li>
  );
}

function Comparison({
  run,
  first,
}: {
  readonly run: string;
  readonly first: FirstResult;
}): ReactElement {
  const runs = [first.run_id, run];
  const query = runs.map((id) => `run=${id}`).join("&");
  return (
    <p className="pd-improve-compared" data-better={first.is_better} data-testid="improve-compared">
      {first.label} <span>{first.before}</span> → <b>{first.now}</b>{" "}
      <PageLink href={`/compare?${query}`} to={{ page: "compare", runs }} testId="improve-compare">
        {t("Compare with {name}", { name: first.name })}
      </PageLink>
    </p>
  );
}
