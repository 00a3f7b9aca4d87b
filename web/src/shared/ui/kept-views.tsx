import { Activity, Component, type ReactNode, useState } from "react";
import type { Location } from "@/shared/navigation/history.ts";
import { FixedLocation } from "@/shared/navigation/navigation.tsx";
import { type Kept, NOTHING_KEPT, use } from "./lru.ts";

/** A view among several of which one is shown. */
interface View {
  /** Where the view was last; hidden views keep it, so that they see no other view's address. */
  readonly location: Location;
  readonly element: ReactNode;
  readonly isKept: boolean;
}

interface KeptViewsProps {
  /** Which view is shown. */
  readonly activeKey: string;
  readonly location: Location;
  /** The shown view. */
  readonly element: ReactNode;
  /** Whether the shown view stays alive when another is shown. */
  readonly isKept: boolean;
  /** Most views alive (specification §9). */
  readonly limit: number;
  /**
   * Changes when the view must begin at its top though it was kept, such as another search term.
   */
  readonly topic?: string;
}

/**
 * Shows one view and keeps earlier ones alive: their state, their document and their scroll
 * position to the pixel. Effects of a hidden view are cleaned up, as if it were unmounted.
 */
export function KeptViews({
  activeKey,
  location,
  element,
  isKept,
  limit,
  topic = "",
}: KeptViewsProps) {
  const [kept, setKept] = useState<Kept<View>>(NOTHING_KEPT);
  const current = kept.entries.find((entry) => entry.key === activeKey);
  let shown = kept;
  if (current?.value.location !== location || kept.recency.at(-1) !== activeKey) {
    shown = use(kept, activeKey, { location, element, isKept }, limit, (view) => view.isKept);
    setKept(shown);
  }
  return (
    <ScrollKeeper viewKey={activeKey} topic={topic} isKept={isKept}>
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
  readonly isKept: boolean;
  readonly children: ReactNode;
}

interface Place {
  readonly top: number;
  readonly topic: string;
}

/**
 * Remembers the page's scroll position of each view. A class, because only
 * `getSnapshotBeforeUpdate` runs while the old view still has its height: later the browser has
 * moved the page already.
 */
class ScrollKeeper extends Component<ScrollKeeperProps> {
  readonly #places = new Map<string, Place>();

  override getSnapshotBeforeUpdate(previous: ScrollKeeperProps): null {
    const { viewKey, topic, isKept } = previous;
    if (isKept && viewKey !== this.props.viewKey)
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
