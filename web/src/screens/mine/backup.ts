import { ApiError } from "@/shared/api/client.ts";
import { addFavourite, findFavourites, listFavourites, MOST_IDS } from "@/shared/api/personal-calls.ts";
import { read, write } from "@/shared/storage/registry.ts";
import { HISTORY } from "@/shared/storage/screen-entries.ts";
import { BACKUP_BYTES, BACKUP_FAVOURITES, formatBackup, mergeHistory, parseBackup } from "./backup-file.ts";

/** Told how far a long work is: so many of so many. */
export type Progress = (done: number, total: number) => void;

/** Ids of all favourites, the newest first. @throws ApiError as every call does. */
async function allFavourites(progress: Progress): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ids.length < BACKUP_FAVOURITES; page += 1) {
    const { items, total, hasNext } = await listFavourites(page);
    ids.push(...items.map(({ id }) => id));
    progress(ids.length, total);
    if (!hasNext) break;
  }
  return [...new Set(ids)];
}

/** The text of a file with favourites and history. @throws ApiError as every call does. */
export async function exportBackup(progress: Progress, now: Date): Promise<string> {
  return formatBackup({ favourites: await allFavourites(progress), history: read(HISTORY) }, now);
}

/** What became of a file. */
export type ImportResult =
  | { readonly kind: "foreign" }
  | {
      readonly kind: "merged";
      readonly favourites: number;
      readonly history: number;
      /** Favourites that are gone, or locked. */
      readonly refused: number;
      /** The network failed on the way; doing it again goes on from there. */
      readonly isBroken: boolean;
    };

/** The ones that are no favourites yet. */
async function missingOf(ids: readonly number[]): Promise<number[]> {
  const missing: number[] = [];
  for (let start = 0; start < ids.length; start += MOST_IDS) {
    const asked = ids.slice(start, start + MOST_IDS);
    const known = new Set(await findFavourites(asked));
    missing.push(...asked.filter((id) => !known.has(id)));
  }
  return missing;
}

/** Whether the server has judged the video itself, so that asking again is of no use. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 422].includes(error.code);
}

/** Merge a file into favourites and history: nothing that is there goes. */
export async function importBackup(file: Blob, progress: Progress): Promise<ImportResult> {
  const backup = file.size <= BACKUP_BYTES ? parseBackup(await file.text()) : null;
  if (!backup) return { kind: "foreign" };
  const own = read(HISTORY);
  const merged = mergeHistory(own, backup.history);
  write(HISTORY, merged);
  let [added, refused, isBroken] = [0, 0, false];
  try {
    const missing = await missingOf(backup.favourites);
    const total = missing.length;
    // The oldest first: the newest favourite is then the newest again.
    for (let id = missing.pop(); id !== undefined; id = missing.pop()) {
      progress(total - missing.length, total);
      try {
        await addFavourite({ id });
        added += 1;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused += 1;
      }
    }
  } catch (error) {
    console.info(error);
    isBroken = true;
  }
  return { kind: "merged", favourites: added, history: merged.length - own.length, refused, isBroken };
}
