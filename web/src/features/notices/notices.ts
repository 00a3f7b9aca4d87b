import { listNotices } from "@/shared/api/discovery-calls.ts";
import type { Notice, Page } from "@/shared/api/model.ts";
import { type Query, SITE_FRESH_MS } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { LAST_READ } from "@/shared/storage/entries.ts";
import { read, write } from "@/shared/storage/registry.ts";

/** When the newest notice was written, milliseconds since 1970; 0 without notices. */
export function newestTime(notices: readonly Pick<Notice, "updatedAt">[]): number {
  return Math.max(0, ...notices.map(({ updatedAt }) => updatedAt).filter(Number.isFinite));
}

/**
 * Whether a notice is newer than the last one read (specification §4); an equal time is not newer.
 */
export function isUnread(notices: readonly Pick<Notice, "updatedAt">[], lastRead: number): boolean {
  return newestTime(notices) > lastRead;
}

/** The latest notices, newest first. */
export const NOTICES: Query<Page<Notice>> = {
  key: queryKeys.notices,
  load: () => listNotices(1),
  freshMs: SITE_FRESH_MS,
};

const NONE: readonly Notice[] = [];

/**
 * The latest notices, newest first; none while loading. A failure is only logged (specification
 * §8).
 */
export function useNotices() {
  const { data, ...query } = useQuery(NOTICES);
  return { ...query, notices: data?.items ?? NONE, hasOlder: data?.hasNext ?? false };
}

/** The visitor has seen the notices: the dot disappears until a newer one arrives. */
export function markRead(notices: readonly Notice[]): void {
  const newest = newestTime(notices);
  if (newest > read(LAST_READ)) write(LAST_READ, newest);
}
