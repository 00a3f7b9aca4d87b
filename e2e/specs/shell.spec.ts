import type { Page } from "@playwright/test";
import { withConfig } from "../fixtures/boot.ts";
import {
  CONTENT,
  followTraffic,
  layoutShifts,
  restingScroll,
  watchRequests,
} from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";
import { PlayerPage } from "../pages/player.ts";
import { VideoListPage } from "../pages/video-list.ts";

// The last files of a run: the workers share what is left.
test.describe.configure({ mode: "parallel" });

const TABS = ["首页", "排行", "发现", "miin", "看看", "我的"] as const;

/**
 * Addresses with a tab bar, and the tab that each lights (specification §2, docs/product.md#r4).
 */
const LIT: readonly [string, (typeof TABS)[number]][] = [
  ["/home", "首页"],
  ["/rank", "排行"],
  ["/find/rank", "发现"],
  ["/find/artist", "发现"],
  ["/find/tags", "发现"],
  ["/miin", "miin"],
  ["/favorites", "看看"],
  ["/mine", "我的"],
];

/** Every address that a visitor can open without an id of its own. */
const SCREENS = [
  ...LIT.map(([path]) => path),
  "/vendor",
  "/find",
  "/search",
  "/list?typeId=0&orderby=new",
  "/searchList?search=清单",
  "/playVideo?id=1",
  "/playVideo?id=9",
  "/collectVideo?type=history",
  "/collectVideo?type=favorite",
];

for (const [path, tab] of LIT) {
  test(`${path} lights ${tab} alone`, async ({ page }) => {
    await page.goto(path);
    const { tabBar } = new HomePage(page);
    await expect(tabBar.locator('a.tab[aria-current="page"]')).toHaveText([tab]);
  });
}

test("a tap on each of the six tabs leads to its first address", async ({ page, finger }) => {
  const home = new HomePage(page);
  await home.open();
  await expect(home.tabBar.locator("a.tab")).toHaveText([...TABS]);
  for (const [tab, address] of [
    ["排行", /\/rank$/],
    ["发现", /\/find\/rank$/],
    ["miin", /\/miin$/],
    ["看看", /\/favorites$/],
    ["我的", /\/mine$/],
    ["首页", /\/home$/],
  ] as const) {
    await finger.press(home.tab(tab));
    await expect(page).toHaveURL(address);
  }
});

test("the site's root leads to home", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveURL(/\/home$/);
  await new HomePage(page).isDrawn();
});

test("an address that no screen has answers 404 and leads home", async ({
  page,
  finger,
  expected,
}) => {
  expected.allow(/404/);
  const response = await page.goto("/nowhere");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "找不到页面" })).toBeVisible();
  await finger.press(page.getByRole("link", { name: "回到首页" }));
  await new HomePage(page).isDrawn();
});

test("/playLink leads to the video at once, inside this site only", async ({ page }) => {
  await page.goto("/playLink?id=2");
  await expect(page).toHaveURL(/\/playVideo\?id=2$/);
  await expect(page.getByRole("heading", { name: "海边的一整个下午" })).toBeVisible();
  await page.goto("/playLink?id=//example.com/");
  await expect(page).toHaveURL(/127\.0\.0\.1:\d+\/playVideo\?id=/);
});

test("the theme follows the system, and a choice outlives a reload", async ({ page, finger }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto("/home");
  expect(await ground()).toBe("rgb(15, 16, 20)");
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(ground).toBe("rgb(245, 246, 248)");
  await page.goto("/mine");
  await finger.press(page.getByRole("button", { name: "深色" }));
  await expect.poll(ground).toBe("rgb(15, 16, 20)");
  await page.reload();
  expect(await ground()).toBe("rgb(15, 16, 20)");
});

test("every document is Chinese, has one heading of the first level and a title", async ({
  page,
}) => {
  for (const path of SCREENS) {
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await expect(
      page.getByRole("heading", { level: 1 }).filter({ visible: true }),
      path,
    ).toHaveCount(1);
    await expect(page).toHaveTitle(/流影/);
  }
});

test("the title of every document stays when its screen is drawn", async ({ page, expected }) => {
  // Documents of what does not exist are 404.
  expected.allow(/404/);
  const others = ["/artist-details?id=1", "/artist-details?id=999", "/topic?id=999"];
  for (const path of [...SCREENS, ...others, "/playVideo?id=99999", "/nothing"]) {
    const document = await (await page.request.get(path)).text();
    const title = /<title>([^<]*)</.exec(document)?.[1] ?? "";
    await page.goto(path);
    const drawn = page.getByRole("heading", { level: 1 }).or(page.getByRole("alert"));
    await expect(drawn.filter({ visible: true }).first(), path).toBeVisible();
    // /find leads to the tab of the last visit, and a locked video's document does not name it.
    if (path === "/find" || title.startsWith("邀请你解锁")) continue;
    await expect(page, path).toHaveTitle(title);
  }
});

test("what scripts and styles may do is closed, and no screen needs more", async ({ page }) => {
  await page.addInitScript(() => {
    const broken: string[] = [];
    Object.assign(window, { broken });
    document.addEventListener("securitypolicyviolation", (event) => {
      broken.push(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  for (const path of SCREENS) {
    const response = await page.goto(path);
    const policy = response?.headers()["content-security-policy"] ?? "";
    expect(policy, path).toContain("default-src 'self'");
    expect(policy, path).not.toContain("unsafe-");
    // The screen is drawn: its scripts, styles and first pictures have been asked for.
    await expect(
      page.getByRole("heading", { level: 1 }).filter({ visible: true }),
      path,
    ).toHaveCount(1);
    expect(
      await page.evaluate(() => (window as unknown as { broken: string[] }).broken),
      path,
    ).toEqual([]);
  }
});

test.describe("nothing moves by itself", () => {
  const documents: readonly [string, string, (page: Page) => Promise<void>][] = [
    ["home", "/home", (page) => new HomePage(page).isDrawn()],
    ["a list", "/list?typeId=0&orderby=new", (page) => new VideoListPage(page).isDrawn()],
    ["the player", "/playVideo?id=1", (page) => new PlayerPage(page).presentedFrames(5)],
  ];
  for (const [name, path, isDrawn] of documents) {
    test(`on ${name}`, async ({ page }) => {
      const trafficIsOver = followTraffic(page);
      await page.goto(path);
      await isDrawn(page);
      await trafficIsOver();
      expect(await layoutShifts(page)).toEqual([]);
    });
  }

  test("while home is scrolled to its end", async ({ page, finger }) => {
    const trafficIsOver = followTraffic(page);
    await new HomePage(page).open();
    for (let drags = 0; drags < 8; drags += 1)
      await finger.drag({ x: 195, y: 700 }, { x: 195, y: 150 }, 6);
    await restingScroll(page);
    await trafficIsOver();
    expect(await layoutShifts(page)).toEqual([]);
  });
});

test("a tab's screen comes back where it was, without a request", async ({
  page,
  context,
  finger,
}) => {
  const home = new HomePage(page);
  const trafficIsOver = followTraffic(page);
  await home.open();
  await finger.drag({ x: 195, y: 700 }, { x: 195, y: 300 });
  const scroll = await restingScroll(page);
  expect(scroll).toBeGreaterThan(0);
  await trafficIsOver();
  await finger.press(home.tab("排行"));
  await expect(page).toHaveURL(/\/rank$/);
  await expect(page.locator(".rank-row").first()).toBeVisible();
  await trafficIsOver();
  const requests = watchRequests(context, CONTENT);
  await finger.press(home.tab("首页"));
  await expect(page).toHaveURL(/\/home$/);
  await home.isDrawn();
  expect(await restingScroll(page)).toBe(scroll);
  expect(requests).toEqual([]);
});

test("the bar is 50 px high and leaves home's last line free", async ({ page }) => {
  const home = new HomePage(page);
  await home.open();
  expect((await home.tabBar.boundingBox())?.height).toBe(50);
  // What lies below comes when it is near, and moves the end once more.
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const bar = await home.tabBar.boundingBox();
    const foot = await page.locator(".home-foot").boundingBox();
    expect((foot?.y ?? Number.NaN) + (foot?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  }).toPass({ timeout: 10_000 });
});

test.describe("with a changed configuration", () => {
  // The documents are rewritten on their way: a worker would answer with its own.
  test.use({ serviceWorkers: "block" });

  test("a tab of type link opens its address in another window, and is never lit", async ({
    page,
    context,
    finger,
  }) => {
    await context.route("https://partner.example/**", (route) => route.fulfill({ body: "" }));
    await withConfig(page, ({ tabs }) => ({
      tabs: (tabs as { key: string }[]).map((tab) =>
        tab.key === "miin"
          ? { ...tab, open_type: "link", url: "https://partner.example/x", name: "合作" }
          : tab,
      ),
    }));
    const home = new HomePage(page);
    await home.open();
    const opened = context.waitForEvent("page");
    await finger.press(home.tab("合作"));
    const other = await opened;
    expect(other.url()).toBe("https://partner.example/x");
    expect(await other.evaluate(() => window.opener)).toBeNull();
    await expect(page).toHaveURL(/\/home$/);
    await expect(home.tab("合作")).not.toHaveAttribute("aria-current");
  });
});

test("every list with the tab bar leaves 50 px free beneath it", async ({ page }) => {
  for (const path of ["/rank", "/find/rank", "/find/artist", "/find/tags", "/mine"]) {
    await page.goto(path);
    await expect(
      page.getByRole("heading", { level: 1 }).filter({ visible: true }),
      path,
    ).toHaveCount(1);
    const spacer = () =>
      page
        .locator("main *")
        .evaluateAll((elements) =>
          Math.max(
            ...elements.map(
              (element) => Number.parseFloat(getComputedStyle(element).paddingBottom) || 0,
            ),
          ),
        );
    await expect.poll(spacer, path).toBeGreaterThanOrEqual(50);
  }
});

test.describe("on a wide screen", () => {
  test.use({ viewport: { width: 1920, height: 1000 }, isMobile: false, hasTouch: false });

  const contents: readonly [string, string][] = [
    ["/home", "a.tile"],
    ["/list?typeId=0&orderby=new", "a.tile"],
    ["/searchList?search=清单", "a.tile"],
    ["/rank", "a.rank-row"],
    ["/find/tags", ".index-card"],
    ["/search", ".search-bar-inner"],
  ];
  for (const [path, content] of contents) {
    test(`${path} is at most 1200 px wide, beside a rail of tabs`, async ({ page }) => {
      await page.goto(path);
      const drawn = page.locator(content).filter({ visible: true });
      await expect(drawn.first()).toBeVisible();
      const [left, right] = await drawn.evaluateAll((elements) => {
        const boxes = elements.map((element) => element.getBoundingClientRect());
        return [
          Math.min(...boxes.map((box) => box.left)),
          Math.max(...boxes.map((box) => box.right)),
        ] as const;
      });
      const rail = await new HomePage(page).tabBar.boundingBox();
      expect(right - left).toBeLessThanOrEqual(1200);
      expect(rail).toMatchObject({ x: 0, y: 0, height: 1000 });
      expect(left).toBeGreaterThan(rail?.width ?? Number.NaN);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1920);
    });
  }
});

for (const [name, userAgent] of [
  [
    "an iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1",
  ],
  [
    "an iPad",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
  ],
] as const) {
  test.describe(`on ${name}`, () => {
    test.use({ userAgent });

    test(`${name} has its class`, async ({ page }) => {
      await page.addInitScript(() =>
        Object.defineProperty(navigator, "maxTouchPoints", { get: () => 5 }),
      );
      await page.goto("/home");
      await expect(page.locator("html")).toHaveClass(/(^| )is-ios( |$)/);
    });
  });
}

test("a page inside a frame has its class, and no other has", async ({ page, baseURL }) => {
  await page.route("**/host-page", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><iframe src="${baseURL}/home"></iframe>`,
    }),
  );
  await page.goto("/host-page");
  await expect(page.frameLocator("iframe").locator("html")).toHaveClass(/(^| )is-framed( |$)/);
  await page.goto("/home");
  await new HomePage(page).isDrawn();
  await expect(page.locator("html")).not.toHaveClass(/is-framed|is-ios/);
});

test("the dot on 我的 stands for an unread notice, and goes with the arrival there", async ({
  page,
  finger,
}) => {
  const home = new HomePage(page);
  const dot = home.tabBar.getByRole("img", { name: "有新公告" });
  await home.open();
  await expect(dot).toBeVisible();
  await finger.press(home.tab("我的"));
  await expect(dot).toHaveCount(0);
  const { data } = (await (await page.request.get("/api/sysnotice")).json()).rescont;
  const newest = Math.max(
    ...data.map(({ updated_at }: { updated_at: string }) => Date.parse(updated_at)),
  );
  expect(await page.evaluate(() => Number(localStorage.getItem("lastReadTimestamp")))).toBe(newest);
  const asked = page.waitForResponse("**/api/sysnotice");
  await page.goto("/home");
  await asked;
  await home.isDrawn();
  await expect(dot).toHaveCount(0);
});
