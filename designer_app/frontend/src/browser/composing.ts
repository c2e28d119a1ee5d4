/** Input methods for Japanese, Chinese, Korean and other languages. */

type Pressed = Pick<KeyboardEvent, "isComposing" | "keyCode">;

/** Return true for a key that belongs to the input method: Enter ends a word, Escape discards
 * one. */
export function isComposing({ isComposing: composing, keyCode }: Pressed): boolean {
  // Safari reports the key that ends a composition after the end of the composition
  return composing || keyCode === 229;
}
