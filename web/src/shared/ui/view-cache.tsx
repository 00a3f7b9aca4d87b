"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import { Activity, Component, type ReactNode, useState } from "react";
import type { Location } from "@/shared/navigation/history.ts";
import { FixedLocation } from "@/shared/navigation/navigation.tsx";
import { EMPTY_CACHE, type LruCache, touch } from "./lru.ts";

/** A view among several of which one is shown. */
interface View {
  /** The view's last address; hidden views keep it, so that they see no other view's address. */
  readonly location: Location;
  readonly element: ReactNode;
  readonly isCached: boolean;
}

interface ViewCacheProps {
  /** Which view is shown. */
  readonly activeKey: string;
  readonly location: Location;
  /** The shown view. */
  readonly element: ReactNode;
  /** Whether the shown view is cached when another is shown. */
  readonly isCached: boolean;
  /** Maximum number of cached views (specification §9). */
  readonly limit: number;
  /**
   * Changes when the view must start at its top although it was cached, such as for another search
   * term.
   */
  readonly topic?: string;
}

/**
 * Shows one view and caches earlier ones: their state, their document and their scroll position to
 * the pixel. Effects of a hidden view are cleaned up, as if it were unmounted.
 */
export function ViewCache({
  activeKey,
  location,
  element,
  isCached,
  limit,
  topic = "",
}: ViewCacheProps) {
  const [cache, setCache] = useState<LruCache<View>>(EMPTY_CACHE);
  const current = cache.entries.find((entry) => entry.key === activeKey);
  let shown = cache;
  if (current?.value.location !== location || cache.recency.at(-1) !== activeKey) {
    shown = touch(
      cache,
      activeKey,
      { location, element, isCached },
      limit,
      (view) => view.isCached,
    );
    setCache(shown);
  }
  return (
    <ScrollKeeper viewKey={activeKey} topic={topic} isCached={isCached}>
      {shown.entries.map(({ key, value }) => (
        <Activity key={key} mode={key === activeKey ? "visible" : "hidden"} name={key}>
          <FixedLocation location={value.location}>{value.element}</FixedLocation>
        </Activity>
      ))}
    </ScrollKeeper>
  );
}

interface ScrollKeeperProps {
  readonly viewKey: string;
  readonly topic: string;
  readonly isCached: boolean;
  readonly children: ReactNode;
}

interface Place {
  readonly top: number;
  readonly topic: string;
}

/**
 * Remembers the page's scroll position of each view. A class, because only
 * `getSnapshotBeforeUpdate` runs while the old view still has its height: later the browser has
 * already moved the page.
 */
class ScrollKeeper extends Component<ScrollKeeperProps> {
  readonly #places = new Map<string, Place>();

  override getSnapshotBeforeUpdate(previous: ScrollKeeperProps): null {
    const { viewKey, topic, isCached } = previous;
    if (isCached && viewKey !== this.props.viewKey)
      this.#places.set(viewKey, { top: window.scrollY, topic });
    return null;
  }

  override componentDidUpdate(previous: ScrollKeeperProps): void {
    const { viewKey, topic } = this.props;
    if (previous.viewKey === viewKey && previous.topic === topic) return;
    const place = previous.viewKey === viewKey ? undefined : this.#places.get(viewKey);
    window.scrollTo({ top: place?.topic === topic ? place.top : 0, behavior: "instant" });
  }

  override render(): ReactNode {
    return this.props.children;
  }
}
