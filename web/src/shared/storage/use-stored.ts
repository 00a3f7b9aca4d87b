import { useSyncExternalStore } from "react";
import { read, type StorageEntry, subscribe } from "./registry.ts";

/** The entry's value, kept up to date; the default while the page is prerendered. */
export function useStored<T>(entry: StorageEntry<T>): T {
  return useSyncExternalStore(
    (listener) => subscribe(entry, listener),
    () => read(entry),
    () => entry.initial,
  );
}
