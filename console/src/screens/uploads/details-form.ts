import * as z from "zod/mini";
import { joined, LONGEST_LABEL, namesField, namesOf } from "@/features/videos/names.ts";
import type { UploadDetails } from "@/shared/api/types.ts";

/** As the server has them: so many labels or artists of a film, and how long an artist's name is. */
const MOST_NAMES = 40;
const LONGEST_ARTIST = 80;

const namesOfFilm = (what: string, longest: number) =>
  namesField(what, longest, MOST_NAMES, `最多 ${MOST_NAMES} 个${what}`);

/** What the server would refuse is told while it is typed: a queued film is told much later. */
export const FORM = z.object({
  title: z.string().check(z.trim(), z.maxLength(200, "最多 200 个字")),
  category: z.string(),
  labels: namesOfFilm("标签", LONGEST_LABEL),
  artists: namesOfFilm("艺人", LONGEST_ARTIST),
  isHidden: z.boolean(),
});

export type Form = z.infer<typeof FORM>;

export function valuesOf({ title, category, labels, artists, is_hidden }: UploadDetails): Form {
  return {
    title: title ?? "",
    category: category ? String(category) : "",
    labels: joined(labels ?? []),
    artists: joined(artists ?? []),
    isHidden: is_hidden ?? false,
  };
}

export function detailsOf(given: Form): UploadDetails {
  const labels = namesOf(given.labels);
  const artists = namesOf(given.artists);
  return {
    ...(given.title ? { title: given.title } : {}),
    ...(given.category ? { category: Number(given.category) } : {}),
    ...(labels.length > 0 ? { labels } : {}),
    ...(artists.length > 0 ? { artists } : {}),
    is_hidden: given.isHidden,
  };
}
