/** A document from JSON of unknown origin: every part is there and within its bounds, or it is refused.
 *
 * The same bounds as `pipelines/documents/parts.py`. Drafts of format 0 are migrated by the server only. */

import { DocumentReader, FORMAT } from "./documentReader";
import {
  DUPLICATE_ID,
  EditRefused,
  NEWER_FORMAT,
  NOT_A_PIPELINE,
  bounded,
  problemOf,
  refuse,
} from "./problems";
import * as say from "./sentences/documents.gen";
import { type Statement, about } from "./sentences/sentence";
import type { Definition, PipelineDocument, Problem } from "./types";
import { isObject } from "./valueReader";

/** Format 1 differs only in what it has not. */
const FORMATS: readonly unknown[] = [FORMAT, "pipeline-designer/1"];

/** The document in JSON text; throws `EditRefused` with every problem. */
export function parseText(text: string): PipelineDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    refuse(NOT_A_PIPELINE, about(say.NOT_JSON, { why: `${(error as Error).message}.` }));
  }
  return parseDocument(value);
}

/** The document in parsed JSON, with what was left out set to its default. */
export function parseDocument(value: unknown): PipelineDocument {
  const format = isObject(value) ? value["format"] : undefined;
  if (!FORMATS.includes(format)) refuseFormat(isObject(value), format);
  const reader = new DocumentReader();
  const document = reader.document(value);
  const problems = reader.problems.length ? reader.problems : duplicates(document);
  if (problems.length) throw new EditRefused(bounded(problems, reader.numOmitted));
  return document;
}

/** The server migrates older formats; what is newer it cannot read either. */
function refuseFormat(hasKeys: boolean, format: unknown): never {
  const written = `${format as string}`.slice(0, 100);
  const facts = { written, current: FORMAT };
  if (/^pipeline-designer\/\d{1,6}$/.test(written)) {
    refuse(NEWER_FORMAT, about(say.NEWER_FORMAT, facts));
  }
  const named = format == null ? about(say.NO_FORMAT, {}) : about(say.OTHER_FORMAT, facts);
  const why = hasKeys ? named : about(say.NO_OBJECT, {});
  return refuse(NOT_A_PIPELINE, about(say.NOT_A_DOCUMENT, { why }));
}

/** Canonical text, as Python writes it but for the form of some numbers. */
export function dumpText(document: PipelineDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

type Parts = readonly (readonly [string, readonly { readonly id: string }[] | undefined])[];

function duplicates(document: PipelineDocument): Problem[] {
  const { definitions = [] } = document;
  const within = (each: Definition): Statement => about(say.IN_DEFINITION, { id: each.id });
  return [
    ...twice([["definition", definitions]]),
    ...twice(partsOf(document)),
    ...definitions.flatMap((each) => twice(partsOf(each), within(each))),
    ...definitions.flatMap((each) =>
      twice(
        [
          ["input", each.inputs],
          ["output", each.outputs],
        ],
        within(each),
      ),
    ),
  ];
}

function partsOf(whole: PipelineDocument | Definition): Parts {
  const { nodes, notes, groups, parameters } = whole;
  return [
    ["node", nodes],
    ["note", notes],
    ["group", groups],
    ["parameter", parameters],
  ];
}

function twice(parts: Parts, where: Statement | "" = ""): Problem[] {
  return parts.flatMap(([what, items = []]) => {
    const counts = new Map<string, number>();
    for (const { id } of items) counts.set(id, (counts.get(id) ?? 0) + 1);
    return [...counts]
      .filter(([, count]) => count > 1)
      .map(([id, count]) =>
        problemOf(
          DUPLICATE_ID,
          about(say.SAME_ID, { count, what, where, id }),
          what === "node" && !where ? { node: id } : {},
        ),
      );
  });
}
