import "./miin.css";
import { IconChevronLeft, IconSearch } from "@tabler/icons-react";
import { useEffect } from "react";
import { useConfig } from "@/shared/config/config.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { useClientStore } from "@/shared/store/client-store.ts";
import { usePageClass } from "@/shared/ui/use-page-class.ts";
import { useTitle } from "@/shared/ui/use-title.ts";
import { useCachedFeed } from "./cached-feed.ts";
import { isNearEnd, orderFeed } from "./feed-items.ts";
import { ShortFeed } from "./short-feed.tsx";
import { announceComing } from "./short-side.tsx";

/** `/miin` (specification §2): full-height shorts, one swipe apart. */
export function MiinScreen() {
  const { shortCategory } = useConfig();
  const isShowAd = useClientStore((state) => state.isShowAd);
  const { feed, list, place } = useCachedFeed(shortCategory, isShowAd);
  const items = orderFeed(list.items, place.ads);
  const { active } = place;
  const isDue =
    list.status === "idle" &&
    list.items.length > 0 &&
    place.ads !== null &&
    isNearEnd(active, items.length);
  useTitle("短视频");
  usePageClass("has-miin");
  useEffect(() => {
    if (isDue) void feed.list.loadNext();
  }, [feed, isDue]);

  return (
    <div className="miin" data-end={list.status === "finished"}>
      <header className="miin-head">
        <Link className="icon-button" to="/home" aria-label="返回首页">
          <IconChevronLeft stroke={1.75} aria-hidden="true" />
        </Link>
        <h1 className="sr-only">短视频</h1>
        <div className="miin-tabs" role="tablist" aria-label="短视频">
          <button type="button" role="tab" aria-selected="true">
            推荐
          </button>
          <button type="button" role="tab" aria-selected="false" onClick={announceComing}>
            定时
          </button>
        </div>
        <Link className="icon-button" to="/search" aria-label="搜索">
          <IconSearch stroke={1.75} aria-hidden="true" />
        </Link>
      </header>
      {items.length > 0 ? (
        <ShortFeed
          feed={feed}
          items={items}
          status={list.status}
          active={active}
          startAt={place.at}
        />
      ) : (
        <Waiting status={list.status} onRetry={() => void feed.list.loadNext()} />
      )}
    </div>
  );
}

function Waiting({ status, onRetry }: { readonly status: string; readonly onRetry: () => void }) {
  if (status === "error") {
    return (
      <button type="button" className="miin-note" onClick={onRetry}>
        {TEXT.listFailed}
      </button>
    );
  }
  if (status === "finished") return <p className="miin-note">还没有短视频</p>;
  return <span className="miin-spinner" role="status" aria-label="正在加载" />;
}
