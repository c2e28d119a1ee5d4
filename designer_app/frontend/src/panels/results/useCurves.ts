/** Curves of a node: from the server, finer than those of the stream, and newer points from the
 * stream. */

import { useEffect, useMemo, useState } from "react";

import { fetchCurves } from "../../api/runs";
import type { MetricPoint } from "../../graph/types";
import { useEditor, useEditorState } from "../../view/context";
import { selectMetricsOf, selectRunId } from "../../store/selectors";

type Curves = Readonly<Record<string, readonly MetricPoint[]>>;

const NONE: Curves = {};

/** Return no curves if no node is named. */
export function useCurves(node: string | null): Curves {
  const editor = useEditor();
  const run = useEditorState(selectRunId);
  const live = useEditorState(selectMetricsOf(node ?? ""));
  const [fetched, setFetched] = useState({ of: "", curves: NONE });
  const wanted = `${run ?? ""}/${node ?? ""}`;
  useEffect(() => {
    let wants = true;
    if (run === null || node === null) return undefined;
    const show = (curves: Curves): void => {
      if (wants) setFetched({ of: `${run}/${node}`, curves });
    };
    fetchCurves(editor.api, run, node).then(show, () => show(NONE));
    return () => {
      wants = false;
    };
  }, [editor, run, node]);
  const known = fetched.of === wanted ? fetched.curves : NONE;
  return useMemo(() => joined(known, live), [known, live]);
}

/** Append newly logged points to a fetched curve. */
function joined(fetched: Curves, live: Curves): Curves {
  const curves = Object.entries(live).map(([name, points]) => {
    const before = fetched[name] ?? [];
    const end = before.at(-1)?.step ?? -Infinity;
    const since = points.filter((point) => point.step >= end);
    return [name, since.length > 0 ? [...before.slice(0, -1), ...since] : points] as const;
  });
  return Object.fromEntries(curves);
}
