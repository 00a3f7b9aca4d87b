import { answers } from "@/shared/answers/answer-store.ts";
import { listNotices } from "@/shared/api/discovery-calls.ts";
import type { Notice } from "@/shared/api/model.ts";
import { LAST_READ } from "@/shared/storage/entries.ts";
import { read, subscribe } from "@/shared/storage/registry.ts";
import { useNoticeDot } from "@/shared/store/notice-dot.ts";
import { isUnread, NOTICES } from "./notices.ts";

/** Ask for the notices and keep the dot on 我的 true from now on (specification §4); called once. */
export function watchNotices(): void {
  const update = () => {
    const { data = [] } = answers.get<readonly Notice[]>(NOTICES);
    useNoticeDot.setState({ isShown: isUnread(data, read(LAST_READ)) });
  };
  answers.subscribe(update);
  subscribe(LAST_READ, update);
  update();
  void answers.ask(NOTICES, listNotices);
}
