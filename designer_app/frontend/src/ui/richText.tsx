/** Translated texts with elements in them: `rich("Found in the log: {names}", { names: <b>a</b> })`. */

import { Fragment, isValidElement, type ReactElement, type ReactNode } from "react";

import { translation } from "../graph/sentences/catalog";
import { type Fact, fill } from "../graph/sentences/sentence";
import type { Placeholder } from "../graph/translate";

type Parts<Text> = Readonly<Record<Placeholder<Text> & string, Fact | ReactElement>>;

export function rich<const Text extends string>(text: Text, parts: Parts<Text>): ReactNode {
  const { text: translated, formOf } = translation(text);
  const elements = new Map<string, ReactElement>();
  const facts: Record<string, Fact> = {};
  for (const [name, part] of Object.entries<Fact | ReactElement>(parts)) {
    if (isValidElement(part)) elements.set(`{${name}}`, part);
    else facts[name] = part;
  }
  return translated
    .split(/(\{\w+\})/)
    .map((piece, place) => (
      <Fragment key={place}>{elements.get(piece) ?? fill(piece, facts, formOf)}</Fragment>
    ));
}
