/**
 * A screen by its address (specification §2). Addresses are plain paths; parameters are in the
 * query.
 */
export interface ScreenRoute {
  /** Used by the tab bar's lists and by analytics. */
  readonly name: string;
  readonly path: string;
  /** The screen that contains this one: its tabs share one entry among the cached screens. */
  readonly screen: string;
  /** Whether the screen stays alive while another is shown. */
  readonly isCached: boolean;
  /** Whether the tab bar is shown on a phone. */
  readonly hasTabBar: boolean;
}

function route(
  name: string,
  path: string,
  options: Partial<Omit<ScreenRoute, "name" | "path">> = {},
): ScreenRoute {
  return { name, path, screen: name, isCached: false, hasTabBar: false, ...options };
}

const TAB = { hasTabBar: true };
const CACHED = { isCached: true };
const FIND = { ...TAB, ...CACHED, screen: "find" };

/** Every address of the site. */
export const ROUTES: readonly ScreenRoute[] = [
  route("vendor", "/vendor"),
  route("home", "/home", { ...TAB, ...CACHED }),
  route("rank-page-view", "/rank", { ...TAB, ...CACHED }),
  route("find", "/find", FIND),
  route("artist", "/find/artist", FIND),
  route("rank", "/find/rank", FIND),
  route("tags", "/find/tags", FIND),
  route("artist-details", "/artist-details"),
  route("topic", "/topic"),
  route("miin", "/miin", TAB),
  route("favorites", "/favorites", { ...TAB, ...CACHED }),
  route("mine", "/mine", TAB),
  route("search", "/search"),
  route("list", "/list", CACHED),
  route("searchList", "/searchList", CACHED),
  route("playVideo", "/playVideo"),
  route("playVideoShare", "/playVideoShare"),
  route("playLink", "/playLink"),
  route("collectVideo", "/collectVideo"),
];

/** The tab of /find that a first visit sees. */
const DEFAULT_FIND_TAB = "rank";

/** Shown for an unknown address. */
export const NOT_FOUND: ScreenRoute = route("not-found", "*");

const BY_PATH = new Map(ROUTES.map((entry) => [entry.path, entry]));

/** The route of an address; a trailing slash is ignored. */
export function routeOf(pathname: string): ScreenRoute {
  return BY_PATH.get(pathname.replace(/(?<=.)\/+$/, "")) ?? NOT_FOUND;
}

/** Where to redirect from an address; null if it stands (specification §2). */
export function redirectOf(
  { pathname, search }: { readonly pathname: string; readonly search: string },
  isShowAd: boolean,
  findTab: string,
): string | null {
  if (pathname === "/") return "/home";
  const { name } = routeOf(pathname);
  if (name === "find") return `/find/${findTab || DEFAULT_FIND_TAB}`;
  if (name !== "playLink") return null;
  const query = new URLSearchParams({ id: new URLSearchParams(search).get("id") ?? "" });
  if (!isShowAd) query.set("ad_show", "no");
  return `/playVideo?${query}`;
}

/** Whether an address opens a video's page. */
function opensVideo(pathname: string): boolean {
  return ["playVideo", "playVideoShare"].includes(routeOf(pathname).name);
}

/** Whether a guest needs a partner's session before opening a video (docs/product.md#embedding). */
export function isForSessionsOnly(
  pathname: string,
  isGuest: boolean,
  loginVideoSwitch: boolean,
): boolean {
  return loginVideoSwitch && isGuest && opensVideo(pathname);
}

/** Whether a visitor must go to the vendor page first (specification §2). */
export function isGuarded(pathname: string, token: string, isAuthRequired: boolean): boolean {
  return isAuthRequired && token === "" && routeOf(pathname).name !== "vendor";
}
