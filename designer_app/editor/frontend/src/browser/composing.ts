/** Writing by an input method: Japanese, Chinese, Korean and others. */

type Pressed = Pick<KeyboardEvent, "isComposing" | "keyCode">;

/** True for a key that the input method takes: its Enter ends a word, its Escape gives one up. */
export function isComposing({ isComposing: composing, keyCode }: Pressed): boolean {
  return composing || keyCode === 229; // Safari tells the key that ends a word as one after it
}
