import { call } from "@/shared/api/client.ts";

/** Part of an advertisement that must be in view, and for how long, to count as seen. */
const SEEN_SHARE = 0.5;
const SEEN_MS = 1000;
/** How often new advertisements are looked for, and counts are sent, in milliseconds. */
const LOOK_MS = 1000;
const SEND_MS = 10_000;
const MARKED = "[data-ad]";

/**
 * Count which advertisements are seen and followed (`adLink` marks them). An advertisement counts
 * as seen once a page load. The calls carry no data code: the server counts numbers, not people.
 */
export function watchAds(): void {
  if (!("IntersectionObserver" in window)) return;
  const counts = new AdCounts();
  const timers = new Map<Element, ReturnType<typeof setTimeout>>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        clearTimeout(timers.get(target));
        if (isIntersecting)
          timers.set(
            target,
            setTimeout(() => counts.see(adOf(target)), SEEN_MS),
          );
      }
    },
    { threshold: SEEN_SHARE },
  );
  const known = new WeakSet<Element>();
  setInterval(() => {
    if (document.hidden) return;
    for (const ad of document.querySelectorAll(MARKED)) {
      if (known.has(ad)) continue;
      known.add(ad);
      observer.observe(ad);
    }
  }, LOOK_MS);
  setInterval(() => counts.send(), SEND_MS);
  for (const kind of ["click", "auxclick"] as const)
    document.addEventListener(kind, ({ target }) => counts.follow(target), { capture: true });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) counts.send();
  });
}

const adOf = (element: Element) => Number(element.getAttribute("data-ad"));

class AdCounts {
  private readonly seen = new Set<number>();
  private views: number[] = [];
  private clicks: number[] = [];

  see(ad: number): void {
    if (!ad || this.seen.has(ad)) return;
    this.seen.add(ad);
    this.views.push(ad);
  }

  /** A click is sent at once: the page may be left by it. */
  follow(target: EventTarget | null): void {
    const link = target instanceof Element ? target.closest(MARKED) : null;
    if (!link) return;
    this.see(adOf(link));
    this.clicks.push(adOf(link));
    this.send();
  }

  send(): void {
    const body = { views: this.views, clicks: this.clicks };
    if (body.views.length + body.clicks.length === 0) return;
    [this.views, this.clicks] = [[], []];
    call("POST", "/api/ad/event", { body }).catch((error: unknown) =>
      console.info("广告计数未送达", error),
    );
  }
}
