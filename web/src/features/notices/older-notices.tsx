import "./notices.css";
import { listNotices } from "@/shared/api/discovery-calls.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { usePagedList } from "@/shared/server-state/use-paged-list.ts";
import { NoticeList } from "./notice-list.tsx";

/** The notices behind the first page: the next one at once, others on demand. */
export function OlderNotices({ readUntil }: { readonly readUntil: number }) {
  const [list, { items, status }] = usePagedList((page, signal) => listNotices(page + 1, signal), {
    keyOf: ({ id }) => id,
  });
  return (
    <>
      <NoticeList notices={items} readUntil={readUntil} />
      {status !== "finished" && (
        <button
          type="button"
          className="button notice-more"
          aria-busy={status === "loading"}
          onClick={() => void list.loadNext()}
        >
          {status === "error" ? TEXT.listFailed : "更早的公告"}
        </button>
      )}
    </>
  );
}
