import type { MouseEvent } from "react";
import type { Ad } from "@/shared/api/model.ts";
import { followLink } from "@/shared/navigation/navigation.tsx";
import { adTrackingEntry } from "@/shared/storage/entries.ts";
import { read, write } from "@/shared/storage/registry.ts";

/**
 * How long an advertisement counts as opened, in milliseconds (specification §9;
 * docs/product.md#r29).
 */
export const AD_TRACKING_MS = 24 * 60 * 60 * 1000;

/**
 * Record that a visitor opened an advertisement.
 *
 * @returns Whether this opening counts: none was noted within the last 24 h.
 */
export function trackAd(url: string, now = Date.now()): boolean {
  const entry = adTrackingEntry(url);
  const isCounted = now - read(entry) >= AD_TRACKING_MS;
  if (isCounted) write(entry, now);
  return isCounted;
}

/** Whether an address is the site's own, such as a topic's: that is no advertisement. */
export function isInside(url: string): boolean {
  return url.startsWith("/");
}

/**
 * Where an advertisement's link leads and what opening it records: the same wherever it is shown.
 * The mark is for `features/ad-counting`.
 */
export function adLink({ id, url }: Pick<Ad, "id" | "url">) {
  return {
    href: url || undefined,
    "data-ad": id,
    ...(!isInside(url) && { target: "_blank", rel: "sponsored noopener noreferrer" }),
    onClick: (event: MouseEvent<HTMLAnchorElement>) => {
      trackAd(url);
      if (isInside(url)) followLink(event, url);
    },
  };
}
