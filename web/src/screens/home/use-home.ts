import { loadCode } from "@/shared/load-code.ts";
import { SITE_FRESH_MS } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";

const loadHome = async () => (await loadCode(() => import("./load-home.ts"))).loadHome();

/**
 * Home's content: inlined in the opened page (`main.tsx` puts it into the cache), otherwise
 * requested.
 */
export function useHome() {
  return useQuery({ key: queryKeys.home, load: loadHome, freshMs: SITE_FRESH_MS });
}
