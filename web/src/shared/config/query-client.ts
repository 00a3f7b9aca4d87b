import { QueryClient } from "@tanstack/react-query";

/** How long an answer counts as fresh: a kept screen that comes back asks nothing. Milliseconds. */
const STALE_MS = 5 * 60_000;
const KEPT_MS = 30 * 60_000;

/**
 * The cache of the server's answers. A failure is shown at once with its retry, so nothing is
 * retried in silence.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        gcTime: KEPT_MS,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // The browser's own guess whether it is online is wrong in many in-app views: ask and see.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
