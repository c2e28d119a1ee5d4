/** Steps of a lesson at the side: the task, a hint, its place, and completed steps. */

import { ChevronDown, ChevronUp, CircleCheck, GraduationCap } from "lucide-react";
import {
  type CSSProperties,
  type ReactElement,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useStore } from "zustand";

import { fetchLesson } from "../../api/lessons";
import type { LessonGuide, LessonStep, NextLesson } from "../../api/types.gen";
import { Button, IconButton } from "../../ui/buttons";
import { useEditor, useRoot, useView } from "../../view/context";
import { openLesson } from "../../view/lessonProgress";
import type { Editor } from "../../store/editor";
import { isConfirmedByUser } from "../../store/lessonChecks";
import type { RunView } from "../../store/types";
import { ROOMY } from "../../view/responsivePanes";
import { useAnswer } from "../../view/useAnswer";
import { follow } from "../../ui/PageLink";
import { goOnPage } from "../../store/pageHost";
import { showStep } from "./showStep";
import { t } from "../../graph/translate";

export function LessonPane(): ReactElement | null {
  const editor = useEditor();
  const ask = useCallback(() => fetchLesson(editor.api, editor.id), [editor]);
  const { value, failed } = useAnswer(ask);
  if (failed !== null || (value && !value.lesson)) return null;
  if (!value?.lesson) return <aside className="pd-lesson" aria-label={t("Lesson")} />;
  return <Steps guide={value.lesson} opened={value.opened} following={value.following} />;
}

interface Props {
  readonly guide: LessonGuide;
  readonly opened: number;
  readonly following: NextLesson | null;
}

function Steps({ guide, opened, following }: Props): ReactElement {
  const editor = useEditor();
  const view = useView();
  const root = useRoot();
  const lesson = useMemo(
    () => openLesson(editor, view, guide, opened),
    [editor, view, guide, opened],
  );
  useEffect(() => lesson.follow(), [lesson]);
  const { done, current, latest } = useStore(lesson.store);
  const [folded, setFolded] = useState(root.clientWidth < ROOMY);
  useEffect(() => {
    const onFailure = (): void => {
      if (root.clientWidth < ROOMY) setFolded(true); // the pane covers the card of the failed node
    };
    return watchFailures(editor, onFailure);
  }, [editor, root]);
  return (
    <aside
      data-region
      className="pd-lesson"
      aria-label={t("Lesson")}
      data-testid="lesson"
      data-folded={folded}
    >
      <header className="pd-lesson-head">
        <GraduationCap size={16} aria-hidden />
        <h2>{t("Lesson")}</h2>
        <span>{t("{size} of {count} done", { size: done.size, count: guide.steps.length })}</span>
        <IconButton
          icon={folded ? ChevronDown : ChevronUp}
          label={folded ? t("Expand lesson") : t("Collapse lesson")}
          data-testid="lesson-fold"
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        />
      </header>
      <div
        className="pd-lesson-bar"
        style={{ "--share": done.size / guide.steps.length } as CSSProperties}
      />
      {!folded && (
        <ol className="pd-lesson-steps pd-scroll">
          {guide.steps.map((step, place) => (
            <StepItem
              key={step.task}
              step={step}
              place={place}
              isDone={done.has(place)}
              isOpen={current === place}
              isLatest={latest === place}
              onOpen={() => lesson.open(place)}
              onConfirm={() => lesson.confirm(place)}
            />
          ))}
        </ol>
      )}
      <p className="pd-sr" role="status">
        {latest === null
          ? ""
          : t("Step {latest} is done. {after}", {
              latest: latest + 1,
              after: guide.steps[latest]?.after ?? "",
            })}
      </p>
      {!folded && current === null && <End following={following} />}
    </aside>
  );
}

/** Call `onFailure` when a node of the run fails; returns a function that stops it. */
function watchFailures({ store }: Editor, onFailure: () => void): () => void {
  return store.subscribe(({ run }, before) => {
    if (run?.steps === before.run?.steps) return;
    const known = run?.id === before.run?.id ? numFailed(before.run) : 0;
    if (numFailed(run) > known) onFailure();
  });
}

function numFailed(run: RunView | null): number {
  return Object.values(run?.steps ?? {}).filter(({ status }) => status === "failed").length;
}

/** Links that follow when all steps are done. */
function End({ following }: Pick<Props, "following">): ReactElement {
  const editor = useEditor();
  return (
    <div className="pd-lesson-end" data-testid="lesson-end">
      <p>{t("All steps completed.")}</p>
      {following && (
        <a
          className="pd-button"
          data-kind="primary"
          data-testid="lesson-next"
          href={`/design?pipeline=${following.pipeline_id}`}
          onClick={(event) => follow(event, () => editor.showPipeline(following.pipeline_id))}
        >
          {t("Next: {name}", { name: following.name })}
        </a>
      )}
      <a
        className="pd-button"
        data-testid="lesson-home"
        href="/"
        onClick={(event) => follow(event, () => goOnPage({ page: "home" }))}
      >
        {t("All lessons")}
      </a>
    </div>
  );
}

interface StepProps {
  readonly step: LessonStep;
  readonly place: number;
  readonly isDone: boolean;
  readonly isOpen: boolean;
  readonly isLatest: boolean;
  readonly onOpen: () => void;
  readonly onConfirm: () => void;
}

function StepItem(props: StepProps): ReactElement {
  const { step, place, isDone, isOpen, isLatest, onOpen, onConfirm } = props;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) item.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <li
      ref={item}
      className="pd-lesson-step"
      data-testid={`lesson-step-${place + 1}`}
      data-done={isDone}
      data-open={isOpen}
    >
      <button type="button" aria-expanded={isOpen} onClick={onOpen}>
        {isDone ? (
          <CircleCheck size={18} aria-label={t("Done")} />
        ) : (
          <span className="pd-lesson-number">{place + 1}</span>
        )}
        <span>{step.task}</span>
      </button>
      {(isLatest || (isOpen && isDone)) && <p className="pd-lesson-after">{step.after}</p>}
      {isOpen && !isDone && <Help step={step} onConfirm={onConfirm} />}
    </li>
  );
}

function Help({ step, onConfirm }: Pick<StepProps, "step" | "onConfirm">): ReactElement {
  const editor = useEditor();
  const view = useView();
  const root = useRoot();
  const [hinted, setHinted] = useState(false);
  const help = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hinted) help.current?.scrollIntoView({ block: "nearest" });
  }, [hinted]);
  return (
    <div ref={help} className="pd-lesson-help">
      {hinted && <p>{step.hint}</p>}
      <Button
        small
        data-testid="lesson-show"
        onClick={() => showStep(editor, view, root, step.show)}
      >
        {t("Show me")}
      </Button>
      {!hinted && (
        <Button small kind="plain" data-testid="lesson-hint" onClick={() => setHinted(true)}>
          {t("Hint")}
        </Button>
      )}
      {isConfirmedByUser(step) && (
        <Button small data-testid="lesson-confirm" onClick={onConfirm}>
          {t("Mark as done")}
        </Button>
      )}
      {step.how_to != null && (
        <a
          className="pd-link pd-lesson-link"
          href={`/docs/how-to/${step.how_to}.html`}
          target="_blank"
          rel="noopener"
        >
          {t("How-to guide")}
        </a>
      )}
    </div>
  );
}
