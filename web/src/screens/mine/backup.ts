import { ApiError } from "@/shared/api/client.ts";
import {
  addFavourite,
  findFavourites,
  listFavourites,
  MAX_IDS,
} from "@/shared/api/personal-calls.ts";
import { read, write } from "@/shared/storage/registry.ts";
import { HISTORY } from "@/shared/storage/screen-entries.ts";
import {
  BACKUP_BYTES,
  BACKUP_FAVOURITES,
  formatBackup,
  mergeHistory,
  parseBackup,
} from "./backup-file.ts";

/** Receives the progress of long work: current and total. */
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

/** The result of importing a file. */
export type ImportResult =
  | { readonly kind: "foreign" }
  | {
      readonly kind: "merged";
      readonly favourites: number;
      readonly history: number;
      /** Favourites that are gone, or locked. */
      readonly refused: number;
      /**
       * Favourites that were not sent: the network failed, or the server refused more. Importing
       * again continues there. Null where it is not known which of the file's are there already.
       */
      readonly left: number | null;
      /** Why some are left: the server asked to wait longer than anybody would. */
      readonly isBusy: boolean;
      /** The network failed. */
      readonly isBroken: boolean;
    };

/** What the visitor is told: what was merged, and what is left of the file's favourites. */
export function textOf(result: ImportResult): string {
  if (result.kind === "foreign") return "这不是本站导出的文件";
  const { favourites, history, refused, left, isBusy, isBroken } = result;
  const parts = [`已导入 ${favourites} 个收藏、${history} 条历史`];
  if (refused > 0) parts.push(`${refused} 个视频已无法收藏`);
  const merged = parts.join("，");
  if (!isBusy && !isBroken) return merged;
  const rest = left === null ? "收藏没有全部导入" : `还有 ${left} 个收藏未导入`;
  // Adding waited for minutes, so it is the server's limit of an hour.
  const later = isBusy && left !== null ? "一小时后" : "稍后";
  return `${merged}；${isBusy ? "" : "网络异常，"}${rest}，请${later}再导入同一个文件，会接着导入`;
}

/**
 * Those that are not favourites yet. Asking costs no use of the server's limit.
 *
 * @throws ApiError as every call does.
 */
async function missingOf(ids: readonly number[]): Promise<number[]> {
  const missing: number[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const asked = ids.slice(start, start + MAX_IDS);
    const known = new Set(await findFavourites(asked));
    missing.push(...asked.filter((id) => !known.has(id)));
  }
  return missing;
}

/** Whether the server judged the video itself, so that retrying is useless. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 422].includes(error.code);
}

const TOO_MANY = 429;
/**
 * Milliseconds between two attempts while the server refuses more, and after which the rest is
 * left.
 */
const PAUSE_MS = 5000;
const MAX_WAIT_MS = 120_000;

/**
 * Add a favourite, waiting while the server refuses more: refused attempts do not count there.
 *
 * @throws ApiError as every call does.
 */
async function addPatiently(id: number, onWait: () => void): Promise<void> {
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      return await addFavourite({ id });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== TOO_MANY || waited >= MAX_WAIT_MS)
        throw error;
    }
    onWait();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/**
 * Merge a file into favourites and history: nothing existing is removed.
 *
 * @param onWait - Told whenever the server takes no more for now.
 */
export async function importBackup(
  file: Blob,
  progress: Progress,
  onWait: () => void,
): Promise<ImportResult> {
  const backup = file.size <= BACKUP_BYTES ? parseBackup(await file.text()) : null;
  if (!backup) return { kind: "foreign" };
  const own = read(HISTORY);
  const merged = mergeHistory(own, backup.history);
  write(HISTORY, merged);
  const result = {
    kind: "merged" as const,
    favourites: 0,
    history: merged.length - own.length,
    refused: 0,
    left: 0,
  };
  let missing: number[] | null = null;
  try {
    missing = await missingOf(backup.favourites);
    const total = missing.length;
    // Oldest first, so that the newest favourite is the newest again.
    for (let id = missing.at(-1); id !== undefined; id = missing.at(-1)) {
      progress(total - missing.length + 1, total);
      try {
        await addPatiently(id, onWait);
        result.favourites += 1;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        result.refused += 1;
      }
      missing.pop();
    }
    return { ...result, isBusy: false, isBroken: false };
  } catch (error) {
    console.info(error);
    const isBusy = error instanceof ApiError && error.code === TOO_MANY;
    return { ...result, left: missing?.length ?? null, isBusy, isBroken: !isBusy };
  }
}
