/** Texts of the interface: `t("Delete {count:,} {count:run|runs}?", { count })`. */

import { type Fact, filled } from "./sentences/sentence";

type Before<Text, Mark extends string> = Text extends `${infer Start}${Mark}${string}`
  ? Start
  : Text;
/** Names of the placeholders of a text. */
export type Placeholder<Text> = Text extends `${string}{${infer Inside}}${infer Rest}`
  ? Before<Before<Inside, ":">, "!"> | Placeholder<Rest>
  : never;
type FactsOf<Text, Value> = Readonly<Record<Placeholder<Text> & string, Value>>;
type Arguments<Text, Value> = [Placeholder<Text>] extends [never] ? [] : [FactsOf<Text, Value>];

/** An English text in the language of the page, with its placeholders filled. */
export function t<const Text extends string>(
  text: Text,
  ...[facts]: Arguments<Text, Fact>
): string {
  return filled(text, facts ?? {});
}
