/** Everything that is wrong: a click goes there, a button cures it where one can. */

import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";

import { findNode } from "../../graph/lookup";
import { titleOf } from "../../graph/search";
import type { Problem } from "../../graph/types";
import { useEditor, useEditorState, useView } from "../../view/context";
import { goToProblem } from "../../commands/goTo";
import { RemedyButton } from "../../ui/RemedyButton";
import {
  selectCatalog,
  selectDocument,
  selectIsEmpty,
  selectProblems,
} from "../../store/selectors";

const MOST = 200;

export function Problems(): ReactElement {
  const problems = useEditorState(selectProblems);
  const empty = useEditorState(selectIsEmpty);
  return (
    <div data-testid="problems">
      {problems.length === 0 ? (
        <p className="pd-empty pd-allright">
          <CircleCheck size={16} aria-hidden />
          {empty
            ? "The canvas is empty: add a module to begin."
            : "No problems: the pipeline is ready to run."}
        </p>
      ) : (
        <ul className="pd-problems">
          {problems.slice(0, MOST).map((problem, place) => (
            <ProblemRow key={place} problem={problem} place={place} />
          ))}
        </ul>
      )}
      {problems.length > MOST && (
        <p className="pd-empty">And {problems.length - MOST} more: put these right first.</p>
      )}
    </div>
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
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const node = problem.node === null ? undefined : findNode(document, problem.node);
  const Icon = problem.severity === "error" ? CircleAlert : TriangleAlert;
  return (
    <li className="pd-problem" data-severity={problem.severity} data-testid={`problem-${place}`}>
      <Icon size={15} aria-label={problem.severity} />
      <button
        type="button"
        className="pd-problem-text"
        title={`${problem.name} (${problem.code})`}
        onClick={() => goToProblem(editor, view, problem)}
      >
        {node && <b>{titleOf(node, catalog)}: </b>}
        {problem.message} <span>{problem.cure}</span>
      </button>
      <RemedyButton problem={problem} testId={`problem-cure-${place}`} />
    </li>
  );
}
