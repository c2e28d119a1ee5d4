/** Places at which long words of titles may be divided, for nodes seen from far away. */

/** Words that are not longer fit into a node. */
const MOST_LETTERS = 10;
/** Letters that stay together at both ends of a word. */
const FEWEST = 3;
const SYLLABLE = /(?<=\p{L})(?=[b-df-hj-np-tv-z][aeiouy])/giu;
const SOFT_HYPHEN = "\u00ad";

/** Return the text with a soft hyphen before each syllable of its long words: a browser breaks
 * a word there, with a hyphen, if it does not fit. */
export function hyphenated(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => partsOf(word).join(SOFT_HYPHEN));
}

/** Return the syllables of a long word, by the usual rule: one consonant goes to the next line. */
export function partsOf(word: string): readonly string[] {
  if (word.length <= MOST_LETTERS) return [word];
  const places = [...word.matchAll(SYLLABLE)].map(({ index }) => index);
  const inner = places.filter((place) => place >= FEWEST && place <= word.length - FEWEST);
  return [0, ...inner].map((place, number) => word.slice(place, inner[number]));
}
