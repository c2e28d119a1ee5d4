/** Choices of a parameter in the data, which the server computes from the node's inputs. */

import { useEffect, useMemo, useState } from "react";

import { choicesIn } from "../../api/pipelines";
import { linksInto } from "../../graph/lookup";
import type { ParameterSpec, PipelineDocument } from "../../graph/types";
import { useEditor, useEditorState } from "../../view/context";
import { selectDocument } from "../../store/selectors";

/** Texts by value; undefined while they are unknown. */
export type ChoicesThere = Readonly<Record<string, string>> | undefined;

const PAUSE_MS = 300;

export function useChoicesThere(parameter: ParameterSpec, node: string): ChoicesThere {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const needed = useMemo(
    () => (parameter.from_data ? JSON.stringify(neededBy(document, node)) : undefined),
    [parameter, document, node],
  );
  const [there, setThere] = useState<{ readonly of: string; readonly choices: ChoicesThere }>();
  useEffect(() => {
    if (needed === undefined) return;
    let over = false;
    const ask = async (): Promise<void> => {
      const nodes = await choicesIn(editor.api, JSON.parse(needed) as PipelineDocument);
      if (!over) setThere({ of: needed, choices: nodes[node]?.[parameter.id] });
    };
    // an unavailable server is reported elsewhere: here there are only fewer choices
    const timer = setTimeout(() => void ask().catch(() => undefined), PAUSE_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [editor, needed, node, parameter]);
  return there?.of === needed ? there?.choices : undefined;
}

/** Return the part of the pipeline that the node needs. */
function neededBy(document: PipelineDocument, node: string): PipelineDocument {
  const kept = new Set([node]);
  for (const path of kept) {
    for (const link of linksInto(document, path)) kept.add(link.from.node);
  }
  return {
    ...document,
    nodes: document.nodes
      .filter((node) => kept.has(node.id))
      .map((node) => ({ ...node, position: { x: 0, y: 0 } })),
    links: document.links.filter((link) => kept.has(link.to.node)),
    notes: [],
    groups: [],
  };
}
