/** Problem of a step: message, fix, and log lines with more details. */

import type { ReactElement } from "react";

import { headlineOf, linesOf } from "../graph/problems";
import type { Problem } from "../graph/types";
import { t } from "../graph/translate";

export function ProblemText({ problem }: { readonly problem: Problem }): ReactElement {
  return (
    <>
      <b>{headlineOf(problem.message)}</b> {problem.cure}
      <LogLines of={problem} />
    </>
  );
}

export function LogLines({ of: { message } }: { readonly of: Problem }): ReactElement | null {
  const lines = linesOf(message);
  if (!lines) return null;
  return (
    <pre
      className="pd-lines pd-scroll"
      role="region"
      aria-label={t("Log lines")}
      tabIndex={0}
      data-testid="problem-lines"
    >
      {lines}
    </pre>
  );
}
