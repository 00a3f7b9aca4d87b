import { IconChevronLeft } from "@tabler/icons-react";
import { Link, useLocation, useRouter } from "@tanstack/react-router";
import { useList } from "@/screens/video/use-list.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Whether the entry before this one is the list that this page was opened from. */
    readonly isFromList?: boolean;
  }
}

/** Back to the list as it was left: its filter, order and pages are in this page's address. */
export function BackLink() {
  const list = useList();
  const router = useRouter();
  const isFromList = useLocation({ select: ({ state }) => state.isFromList === true });
  return (
    <Link
      to="/videos"
      search={list}
      className="back-link"
      onClick={(event) => {
        const isAside = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
        if (!isFromList || isAside) return;
        // The browser's own way back keeps the place on the list, too.
        event.preventDefault();
        router.history.back();
      }}
    >
      <IconChevronLeft size={20} stroke={1.75} aria-hidden="true" />
      {list.state === "removed" ? "返回回收站" : "返回列表"}
    </Link>
  );
}
