/** All problems: a click shows the place, a button fixes it if possible. */

import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";

import { pathTitle } from "../../graph/places";
import { isOpenInput, numProblems } from "../../graph/problems";
import type { Problem } from "../../graph/types";
import { useEditor, useEditorState, useView } from "../../view/context";
import { goToProblem } from "../../commands/goTo";
import { RemedyButton } from "../../ui/RemedyButton";
import {
  selectCatalog,
  selectIsEmpty,
  selectProblems,
  selectVerdict,
  selectWhole,
} from "../../store/selectors";
import { t } from "../../graph/translate";

const MOST = 200;

export function Problems(): ReactElement {
  const problems = useEditorState(selectProblems);
  const verdict = useEditorState(selectVerdict);
  return (
    <div data-testid="problems">
      {verdict === "missing" && (
        <p className="pd-empty" role="status" data-testid="not-checked">
          {t("Not checked: the server has not answered since the last edit.")}
        </p>
      )}
      {problems.length === 0 ? (
        verdict !== "missing" && <NoProblems isChecked={verdict === "current"} />
      ) : (
        <ul className="pd-problems">
          {problems.slice(0, MOST).map((problem, place) => (
            <ProblemRow key={place} problem={problem} place={place} />
          ))}
        </ul>
      )}
      {problems.length > MOST && (
        <p className="pd-empty">
          {t("And {numProblems} more: fix these first.", {
            numProblems: numProblems(problems.slice(MOST)),
          })}
        </p>
      )}
    </div>
  );
}

function NoProblems({ isChecked }: { readonly isChecked: boolean }): ReactElement {
  const empty = useEditorState(selectIsEmpty);
  const words = isChecked
    ? t("No problems. The pipeline is ready to run.")
    : t("Checking the pipeline.");
  return (
    <p className="pd-empty pd-allright">
      {isChecked && <CircleCheck size={16} aria-hidden />}
      {empty ? t("The canvas is empty. Add a module to start.") : words}
    </p>
  );
}

function ProblemRow({
  problem,
  place,
}: {
  readonly problem: Problem;
  readonly place: number;
}): ReactElement {
  const editor = useEditor();
  const view = useView();
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const severity = isOpenInput(problem) ? "open" : problem.severity;
  const Icon = { open: CircleDashed, error: CircleAlert, warning: TriangleAlert }[severity];
  return (
    <li className="pd-problem" data-severity={severity} data-testid={`problem-${place}`}>
      <Icon size={15} aria-label={severity === "open" ? t("to do") : severity} />
      <button
        type="button"
        className="pd-problem-text"
        title={`${problem.name} (${problem.code})`}
        onClick={() => goToProblem(editor, view, problem)}
      >
        {problem.node !== null && <b>{pathTitle(whole, catalog, problem.node)}: </b>}
        {problem.message} <span>{problem.cure}</span>
      </button>
      <RemedyButton problem={problem} testId={`problem-cure-${place}`} />
    </li>
  );
}
