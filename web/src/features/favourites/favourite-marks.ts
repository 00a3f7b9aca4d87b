import { useEffect } from "react";
import { create } from "zustand";
import type { Video } from "@/shared/api/model.ts";
import { addFavourite, findFavourites, removeFavourite } from "@/shared/api/personal-calls.ts";
import { queryCache } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { UUID } from "@/shared/storage/entries.ts";
import { visitorCode } from "@/shared/storage/identity.ts";
import { read, write } from "@/shared/storage/registry.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { CACHED_FAVOURITES, MAX_CACHED_FAVOURITES } from "./cached-favourites.ts";
import { keepFavourites } from "./keep-favourites.ts";

/** Which videos are favourites of a data code, as far as it was asked or changed here. */
interface FavouriteMarks {
  readonly code: string;
  readonly marks: ReadonlyMap<number, boolean>;
}

const useMarks = create<FavouriteMarks>(() => ({ code: "", marks: new Map() }));

/** Increases with each change made here, which makes answers to earlier questions void. */
let changes = 0;

/** Whether a video is a favourite of the current code; undefined if unknown. */
export function favouriteMark(id: number): boolean | undefined {
  const { code, marks } = useMarks.getState();
  return code === visitorCode() ? marks.get(id) : undefined;
}

function setMark(id: number, mark: boolean | undefined): void {
  const code = visitorCode();
  const known = useMarks.getState();
  const marks = new Map(known.code === code ? known.marks : []);
  if (mark === undefined) marks.delete(id);
  else marks.set(id, mark);
  useMarks.setState({ code, marks });
}

/** Ask the server about a video. A failure is logged only (specification §8). */
export async function askFavourite(id: number): Promise<void> {
  const [code, asked] = [visitorCode(), changes];
  try {
    const ids = await findFavourites([id]);
    if (code === visitorCode() && asked === changes) setMark(id, ids.includes(id));
  } catch (error) {
    console.info(error);
  }
}

/**
 * Add or remove a favourite. The mark changes at once, and back again if the server refuses.
 *
 * @throws ApiError as every call does.
 */
export async function setFavourite(video: Video, isWanted: boolean): Promise<void> {
  const code = visitorCode();
  const before = favouriteMark(video.id);
  changes += 1;
  setMark(video.id, isWanted);
  try {
    await (isWanted ? addFavourite(video) : removeFavourite(video.id));
  } catch (error) {
    if (code === visitorCode()) setMark(video.id, before);
    throw error;
  } finally {
    changes += 1;
    queryCache.invalidate(queryKeys.favouriteTotal(code));
  }
  keep(code, video, isWanted);
}

/** The offline copy follows; if there is none yet, it is fetched. */
function keep(code: string, video: Video, isWanted: boolean): void {
  const cached = read(CACHED_FAVOURITES);
  if (cached.code !== code) {
    void keepFavourites(code);
    return;
  }
  const others = cached.items.filter((item) => item.video.id !== video.id);
  const total = cached.total - (cached.items.length - others.length) + (isWanted ? 1 : 0);
  const items = isWanted
    ? [{ video, favouritedAt: Date.now() }, ...others].slice(0, MAX_CACHED_FAVOURITES)
    : others;
  write(CACHED_FAVOURITES, { code, total: Math.max(items.length, total), items });
}

/** Whether a video is a favourite; asked when it is first shown, and again under another code. */
export function useFavourite(id: number): boolean | undefined {
  const code = useStored(UUID);
  const mark = useMarks((known) => (known.code === code ? known.marks.get(id) : undefined));
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- another code is another question, though the call reads it itself
  useEffect(() => void askFavourite(id), [id, code]);
  return mark;
}
