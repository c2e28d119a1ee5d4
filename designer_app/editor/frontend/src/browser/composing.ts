/** Writing by an input method: Japanese, Chinese, Korean and others. */

type Pressed = Pick<KeyboardEvent, "isComposing" | "keyCode">;

/** True for a key that the input method takes: its Enter ends a word, its Escape gives one up. */
export function isComposing({ isComposing: composing, keyCode }: Pressed): boolean {
  // Safari reports the key that ends a composition after the end of the composition
  return composing || keyCode === 229;
}
