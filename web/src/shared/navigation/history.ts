/** An address inside the site. The object stays the same as long as the visitor stays there. */
export interface Location {
  readonly pathname: string;
  /** With its question mark; empty without a query. */
  readonly search: string;
}

/** How a navigation is written into the browser's history. */
export interface NavigateOptions {
  /** Replace the current entry. */
  readonly replace?: boolean;
}

interface EntryState {
  /** Number of this site's entries before this one: at 0, going back would leave the site. */
  readonly idx: number;
}

const listeners = new Set<() => void>();
let current: Location | undefined;

/** The address as it is now. */
export function currentLocation(): Location {
  const { pathname, search } = window.location;
  if (current?.pathname !== pathname || current.search !== search) current = { pathname, search };
  return current;
}

/** Number of this site's entries before the current one; 0 if the site was opened here. */
export function historyDepth(): number {
  const state = window.history.state as Partial<EntryState> | null;
  return typeof state?.idx === "number" ? state.idx : 0;
}

/**
 * Go to an address of the site, or through its history by a number of entries.
 *
 * @throws Error for an address of another site: those are opened by plain links only
 *   (docs/product.md#embedding).
 */
export function navigate(to: string | number, { replace = false }: NavigateOptions = {}): void {
  if (typeof to === "number") {
    window.history.go(to);
    return;
  }
  const url = new URL(to, window.location.href);
  if (url.origin !== window.location.origin) throw new Error(`not an address of this site: ${to}`);
  const isSame = url.href === window.location.href;
  const idx = historyDepth() + (replace || isSame ? 0 : 1);
  window.history[replace || isSame ? "replaceState" : "pushState"](
    { idx } satisfies EntryState,
    "",
    url,
  );
  announce();
}

/**
 * Open something over the page that the browser's back button closes. The address stays.
 *
 * @param onGone - Called when it is to go.
 * @returns A function that takes it away, by going back.
 */
export function openLayer(onGone: () => void): () => void {
  window.history.pushState({ idx: historyDepth() + 1 } satisfies EntryState, "");
  window.addEventListener("popstate", onGone, { once: true });
  let isGoing = false;
  return () => {
    // Going back takes a moment: a second one would leave the page.
    if (!isGoing) window.history.back();
    isGoing = true;
  };
}

/**
 * Listen to every navigation.
 *
 * @returns A function that ends it.
 */
export function onNavigation(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("popstate", announce);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("popstate", announce);
  };
}

let pass = (goOn: () => void) => goOn();

/** Set what happens between a navigation and the drawing of its screen; it must call `goOn` soon. */
export function interposeNavigation(given: typeof pass): void {
  pass = given;
}

function announce(): void {
  pass(() => {
    for (const listener of listeners) listener();
  });
}
