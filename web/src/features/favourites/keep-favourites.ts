import { listFavourites } from "@/shared/api/personal-calls.ts";
import { visitorCode } from "@/shared/storage/identity.ts";
import { read, write } from "@/shared/storage/registry.ts";
import { CACHED_FAVOURITES, MAX_CACHED_FAVOURITES } from "./cached-favourites.ts";

/**
 * Ask for a code's first favourites and keep them for reading without a network, unless they are
 * kept already: the list need not have been opened for that. A failure is logged only.
 */
export async function keepFavourites(code: string): Promise<void> {
  if (read(CACHED_FAVOURITES).code === code) return;
  try {
    const { items, total } = await listFavourites(1);
    // Another code may have taken its place since, and its list been opened.
    if (code !== visitorCode()) return;
    write(CACHED_FAVOURITES, { code, total, items: items.slice(0, MAX_CACHED_FAVOURITES) });
  } catch (error) {
    console.info(error);
  }
}
