/** A stretch of a text, marked or not. */
export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Normalizes width and case, as the server folds them; Traditional characters stay. */
const fold = (text: string) => text.normalize("NFKC").toLowerCase();

/**
 * A text in parts: matches of a search's words, and what is between them. Joined, they are the
 * text.
 *
 * @param text - As it is shown.
 * @param term - The search, words separated by blanks.
 */
export function markedParts(text: string, term: string): readonly TextPart[] {
  const signs = Array.from(text);
  // A character may fold to several: each remembers its origin.
  const folded = signs.flatMap((sign, place) => Array.from(fold(sign), (one) => ({ one, place })));
  const whole = folded.map(({ one }) => one);
  const marked = new Set<number>();
  for (const word of fold(term).split(/\s+/)) {
    const wanted = Array.from(word);
    if (wanted.length === 0) continue;
    for (let start = 0; start + wanted.length <= whole.length; start += 1) {
      if (wanted.every((one, offset) => whole[start + offset] === one))
        for (const { place } of folded.slice(start, start + wanted.length)) marked.add(place);
    }
  }
  const parts: TextPart[] = [];
  for (const [place, sign] of signs.entries()) {
    const last = parts.at(-1);
    const isMarked = marked.has(place);
    if (last?.isMarked === isMarked) parts[parts.length - 1] = { text: last.text + sign, isMarked };
    else parts.push({ text: sign, isMarked });
  }
  return parts;
}
