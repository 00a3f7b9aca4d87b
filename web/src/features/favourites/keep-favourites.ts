import { listFavourites } from "@/shared/api/personal-calls.ts";
import { visitorCode } from "@/shared/storage/identity.ts";
import { read, write } from "@/shared/storage/registry.ts";
import { CACHED_FAVOURITES, MAX_CACHED_FAVOURITES } from "./cached-favourites.ts";

/**
 * Fetch a code's first favourites for offline reading unless they are cached already, even if the
 * list was never opened. A failure is only logged.
 */
export async function keepFavourites(code: string): Promise<void> {
  if (read(CACHED_FAVOURITES).code === code) return;
  try {
    const { items, total } = await listFavourites(1);
    // Another code may be in use by now, and its list may have been opened.
    if (code !== visitorCode()) return;
    write(CACHED_FAVOURITES, { code, total, items: items.slice(0, MAX_CACHED_FAVOURITES) });
  } catch (error) {
    console.info(error);
  }
}
