/** Metrics in the output of a script: suggested patterns, shown, and applied from the next run
 * on. */

import { type ReactElement, useCallback, useState } from "react";

import { suggestedPatterns } from "../../api/stepFiles";
import type { PatternTrial } from "../../api/types.gen";
import { setParameter } from "../../graph/edits";
import { valueOf } from "../../graph/parameters";
import { isStepFinished } from "../../graph/runState";
import { isLineList } from "../../graph/lineLists";
import type { PipelineNode } from "../../graph/types";
import { selectCatalog, selectIsReadOnly, selectRunId, selectStep } from "../../store/selectors";
import { Button } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { useAnswer } from "../../view/useAnswer";
import { t } from "../../graph/translate";
import { rich } from "../../ui/richText";

const PARAMETER = "log_patterns";

/** Suggested log patterns; nothing for a module that reads none, and without new ones. */
export function LogPatterns({ node }: { readonly node: PipelineNode }): ReactElement | null {
  const isFrozen = useEditorState(selectIsReadOnly);
  const used = useUsedPatterns(node);
  const { value } = useAnswer(useSuggestions(node, used !== undefined && !isFrozen));
  const trials = value?.suggested.filter((trial) => !used?.includes(trial.pattern)) ?? [];
  if (!used || trials.length === 0) return null;
  return <Offer key={node.id} node={node} used={used} trials={trials} />;
}

/** Return the patterns of the node; undefined for one that does not support any. */
function useUsedPatterns(node: PipelineNode): readonly string[] | undefined {
  const module = useEditorState(selectCatalog).byId.get(node.module);
  const parameter = module?.parameters.find((parameter) => parameter.id === PARAMETER);
  const value = parameter && valueOf(parameter, node);
  return isLineList(value ?? null) ? (value as readonly string[]) : undefined;
}

function useSuggestions(
  { id }: PipelineNode,
  isWanted: boolean,
): (() => ReturnType<typeof suggestedPatterns>) | null {
  const editor = useEditor();
  const run = useEditorState(selectRunId);
  const step = useEditorState(selectStep(id));
  const isOver = step !== undefined && isStepFinished(step) && step.started !== null;
  const ask = useCallback(
    () => suggestedPatterns(editor.api, { run: run ?? "", node: id }),
    [editor, run, id],
  );
  return isWanted && run && isOver ? ask : null;
}

interface OfferProps {
  readonly node: PipelineNode;
  readonly used: readonly string[];
  readonly trials: readonly PatternTrial[];
}

function Offer({ node, used, trials }: OfferProps): ReactElement {
  const editor = useEditor();
  const [isOpen, setOpen] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = trials.filter((trial) => !left.has(trial.pattern));
  const names = [...new Set(trials.map((trial) => trial.name))].join(", ");
  const use = (): void => {
    const patterns = [...used, ...chosen.map((trial) => trial.pattern)];
    editor.dispatch((d, c) => setParameter(d, c, node.id, PARAMETER, patterns), {
      label: t("Read {names} from the log", {
        names: chosen.map((trial) => trial.name).join(", "),
      }),
    });
    editor.notify(t("The next run shows them as curves."), "success");
  };
  const toggle = (pattern: string): void => {
    const next = new Set(left);
    if (!next.delete(pattern)) next.add(pattern);
    setLeft(next);
  };
  return (
    <section className="pd-box pd-patterns" aria-label={t("Metrics")} data-testid="log-patterns">
      {rich("Found in the log: {names}", { names: <b>{names}</b> })}{" "}
      {!isOpen && (
        <Button small data-testid="show-patterns" onClick={() => setOpen(true)}>
          {t("Show as curves")}
        </Button>
      )}
      {isOpen && (
        <>
          {trials.map((trial) => (
            <Suggestion
              key={trial.pattern}
              trial={trial}
              isChosen={!left.has(trial.pattern)}
              onToggle={() => toggle(trial.pattern)}
            />
          ))}
          <Button
            small
            kind="primary"
            disabled={chosen.length === 0}
            data-testid="use-patterns"
            onClick={use}
          >
            {t("Use {count:pattern|patterns}", { count: chosen.length })}
          </Button>
        </>
      )}
    </section>
  );
}

interface SuggestionProps {
  readonly trial: PatternTrial;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

/** A pattern with the values that it reads, and an example line. */
function Suggestion({ trial, isChosen, onToggle }: SuggestionProps): ReactElement {
  const { name, examples, num_lines: lines, pattern } = trial;
  const values = examples.map(({ value }) => value ?? "none").join(", ");
  return (
    <div className="pd-pattern">
      <label>
        <input type="checkbox" checked={isChosen} onChange={onToggle} /> <b>{name}</b>{" "}
        <span className="pd-dim">{t("{count:,} {count:line|lines}", { count: lines })}</span>
      </label>
      <p>{values}</p>
      <code title={pattern}>{examples[0]?.line}</code>
    </div>
  );
}
