import type { Notice, Page } from "@/shared/api/model.ts";
import { queryCache } from "@/shared/server-state/query-cache.ts";
import { LAST_READ } from "@/shared/storage/entries.ts";
import { read, subscribe } from "@/shared/storage/registry.ts";
import { useNoticeDot } from "@/shared/store/notice-dot.ts";
import { isUnread, NOTICES } from "./notices.ts";

/** Fetch the notices and update the dot on 我的 from now on (specification §4); called once. */
export function watchNotices(): void {
  const update = () => {
    const { data } = queryCache.get<Page<Notice>>(NOTICES.key);
    useNoticeDot.setState({ isShown: isUnread(data?.items ?? [], read(LAST_READ)) });
  };
  queryCache.observe(NOTICES.key, update);
  subscribe(LAST_READ, update);
  update();
  void queryCache.ensure(NOTICES);
}
