import type { BrowserContext, Page } from "@playwright/test";
import { withConfig } from "../fixtures/boot.ts";
import { CONTENT, followTraffic, restingScroll } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";

/** The tabs, the address that each leads to, and whether its screen is kept (specification §9). */
const TABS = [
  { name: "首页", path: "/home", isKept: true },
  { name: "排行", path: "/rank", isKept: true },
  { name: "发现", path: "/find/rank", isKept: true },
  { name: "miin", path: "/miin", isKept: false },
  { name: "看看", path: "/favorites", isKept: true },
  { name: "我的", path: "/mine", isKept: false },
] as const;

type Tab = (typeof TABS)[number];

/** Every tab, and from there every other one and back: thirty ways there and back, sixty taps. */
function* ways(): Generator<readonly [Tab, Tab]> {
  for (const from of TABS) for (const to of TABS) if (to !== from) yield [from, to];
}

/** Answers asked for by a page, by method and address, with how often each was. */
function countRequests(context: BrowserContext): Map<string, number> {
  const counts = new Map<string, number>();
  context.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() !== "GET" || !CONTENT.test(pathname)) return;
    counts.set(pathname + search, (counts.get(pathname + search) ?? 0) + 1);
  });
  return counts;
}

/** Paths of page views, in the order in which they were reported. */
async function countPageViews(page: Page): Promise<string[]> {
  const analytics = { kind: "matomo", url: "/counter", id: "1" };
  await withConfig(page, () => ({ analytics }));
  const paths: string[] = [];
  await page.route(/\/counter\?/, async (route) => {
    const viewed = new URL(route.request().url()).searchParams.get("url");
    paths.push(new URL(viewed ?? "").pathname);
    await route.fulfill({ status: 204 });
  });
  return paths;
}

// The documents are rewritten on their way: a worker would answer with its own.
test.use({ serviceWorkers: "block" });

test("sixty taps through the tab bar ask for nothing twice and find every screen as left", async ({
  page,
  context,
  finger,
}) => {
  test.setTimeout(240_000);
  const views = await countPageViews(page);
  const requests = countRequests(context);
  const trafficIsOver = followTraffic(page);
  const home = new HomePage(page);
  await home.open();
  const left = new Map<string, number>();
  const tap = async (tab: Tab) => {
    const before = views.length;
    await finger.press(home.tab(tab.name));
    await expect(page).toHaveURL(new RegExp(`${tab.path}$`));
    await expect(page.getByRole("heading", { level: 1 }).filter({ visible: true })).toHaveCount(1);
    await expect.poll(() => views.length).toBe(before + 1);
    expect(await restingScroll(page), tab.name).toBe(left.get(tab.path) ?? 0);
    expect(views.slice(before)).toEqual([tab.path]);
  };
  // Each is opened once, and left where no screen begins.
  for (const tab of [...TABS.slice(1), TABS[0]]) {
    await tap(tab);
    await trafficIsOver();
    if (!tab.isKept) continue;
    await finger.drag({ x: 195, y: 700 }, { x: 195, y: 420 });
    left.set(tab.path, await restingScroll(page));
    await trafficIsOver();
  }
  // A new visitor's /favorites is shorter than the window.
  for (const path of ["/home", "/rank", "/find/rank"])
    expect(left.get(path), path).toBeGreaterThan(0);
  const asked = new Map(requests);

  let taps = 0;
  for (const [from, to] of ways()) {
    if (!page.url().endsWith(from.path)) await tap(from);
    for (const tab of [to, from]) {
      await tap(tab);
      taps += 1;
    }
  }
  expect(taps).toBe(60);
  expect([...requests].filter(([address, count]) => (asked.get(address) ?? 0) < count)).toEqual([]);
});
