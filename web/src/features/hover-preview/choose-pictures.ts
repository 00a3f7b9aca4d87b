import type { StoryboardPicture } from "@/player/storyboard.ts";

/** Number of pictures in a preview. */
export const PREVIEW_PICTURES = 12;
/** Maximum number of sheets per preview: a long video has ten of about 100 KB. */
const SHEETS = 3;

/**
 * Pictures spread over the whole video, from few sheets.
 *
 * @param pictures - The whole storyboard, in order of time.
 */
export function choosePictures(
  pictures: readonly StoryboardPicture[],
): readonly StoryboardPicture[] {
  const sheets = new Set(spread([...new Set(pictures.map(({ sheet }) => sheet))], SHEETS));
  return spread(
    pictures.filter(({ sheet }) => sheets.has(sheet)),
    PREVIEW_PICTURES,
  );
}

/** At most `count` of the values, evenly spread, the first among them. */
function spread<T>(values: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, values.length / count);
  return values.filter(
    (_, index) => index === 0 || Math.floor(index / step) > Math.floor((index - 1) / step),
  );
}
