import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";
import { readPoster } from "../pages/poster.ts";

const REFUSED = /status of 403/;
/**
 * How long an opened link must be seen before it counts (docs/product.md#sharing), milliseconds.
 */
const VISIBLE_MS = 3000;

interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
}

/**
 * A visitor with a browser and a clock of its own, whose requests come from a network of its own.
 */
async function visitorFrom(browser: Browser, address: string): Promise<Visitor> {
  const context = await browser.newContext({ extraHTTPHeaders: { "x-forwarded-for": address } });
  await context.clock.install();
  return { context, page: await context.newPage() };
}

async function lockedVideo(page: Page, title: string): Promise<number> {
  const { rescont } = await (
    await page.request.get("/api/videoshare?type=73&orderby=new&page=1")
  ).json();
  return rescont.data.find((video: { title: string }) => video.title === title).id;
}

const linkOn = (page: Page) => page.locator(".unlock-link");

/** Opens a link, and stays until the visit has been recorded. */
async function stay(page: Page, link: string): Promise<void> {
  const statuses: number[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/api/share/visit")) statuses.push(response.status());
  });
  await page.goto(link);
  // The time begins when the server has said that the link is genuine.
  await expect(async () => {
    await page.clock.fastForward(VISIBLE_MS);
    expect(statuses).toEqual([200]);
  }).toPass();
}

/** Opens a link as a friend does. */
async function visit(browser: Browser, link: string, address: string): Promise<void> {
  const friend = await visitorFrom(browser, address);
  await stay(friend.page, link);
  await friend.context.close();
}

test("two friends unlock a video for a third: it plays, and every list follows", async ({
  browser,
}) => {
  test.slow();
  const { context, page } = await visitorFrom(browser, "203.0.113.1");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await lockedVideo(page, "分享后才能看的夜景");
  await page.goto(`/playVideo?id=${id}`);
  const panel = page.getByRole("region", { name: "怎么解锁" });
  await expect(panel.getByText("已有 0/2 位朋友打开")).toBeVisible();
  await expect(page.getByRole("button", { name: "分享" })).toHaveCount(0);

  await page.getByRole("button", { name: "播放（未解锁）" }).click();
  await expect(page.getByText("不合法播放!")).toBeVisible();
  await expect(page.locator(".player video")).toHaveCount(0);

  await expect(linkOn(page)).toHaveText(/playVideoShare\?id=[\w-]{27}$/);
  const link = (await linkOn(page).textContent()) ?? "";
  const counted = page.waitForResponse(/\/api\/share\/check/);
  await panel.getByRole("button", { name: "复制链接" }).click();
  await expect(page.getByText("已复制链接")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await counted;
  await expect(panel.getByRole("button", { name: "再次复制" })).toBeVisible();
  expect(link).not.toContain(await page.evaluate(() => localStorage.getItem("uuid") ?? "?"));

  // The sharer's own opening, and one friend twice: one visit.
  await stay(page, link);
  await page.goto(`/playVideo?id=${id}`);
  await expect(panel.getByText("已有 0/2 位朋友打开")).toBeVisible();
  await visit(browser, link, "198.51.100.7");
  await visit(browser, link, "198.51.100.7");
  await panel.getByRole("button", { name: "刷新" }).click();
  await expect(panel.getByText("已有 1/2 位朋友打开")).toBeVisible();
  await expect(page.getByText("再有 1 位朋友打开就能看")).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("shareVideos"))).toContain(`${id}!1`);

  await visit(browser, link, "2001:db8:1::1");
  await panel.getByRole("button", { name: "刷新" }).click();
  await expect(page.getByText("解锁成功，可以观看了")).toBeVisible();
  await new PlayerPage(page).plays();
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole("button", { name: "分享" })).toBeVisible();

  await page.goto("/list?typeId=73&orderby=new");
  const tile = (title: string) => page.getByRole("link", { name: new RegExp(title) });
  await expect(tile("分享后才能看的夜景").getByText("已解锁")).toBeVisible();
  await expect(tile("朋友来了才开的花").getByRole("img", { name: "未解锁" })).toBeVisible();
  // What the browser forgot, the server knows.
  await page.evaluate(() => localStorage.removeItem("shareVideos"));
  await page.reload();
  await expect(tile("分享后才能看的夜景").getByText("已解锁")).toBeVisible();
  // The history keeps no right that runs out.
  expect(await page.evaluate(() => localStorage.getItem("CM-H5:history"))).not.toContain(
    "/media/r/",
  );

  // The page goes on where the right ran out.
  let renewals = 0;
  await page.route("**/api/share/play?*", async (route) => {
    renewals += 1;
    await route.continue();
  });
  const endOfFirstSegment = async (address: string) => {
    const playlist = await page.request.get(new URL("index.m3u8", address).href);
    const [, size, offset] = /#EXT-X-BYTERANGE:(\d+)@(\d+)/.exec(await playlist.text()) ?? [];
    return Number(size) + Number(offset);
  };
  await page.route("**/media/r/*/*/*/*.mp4", async (route) => {
    const address = route.request().url();
    const asked = /^bytes=(\d+)-/.exec((await route.request().headerValue("range")) ?? "");
    const isLate = Number(asked?.[1] ?? 0) >= (await endOfFirstSegment(address));
    if (renewals < 2 && isLate) await route.fulfill({ status: 403, body: "" });
    else await route.continue();
  });
  await page.evaluate(() => localStorage.removeItem("player-positions"));
  await page.goto(`/playVideo?id=${id}`);
  const time = () =>
    page.locator(".player video").evaluate((video: HTMLVideoElement) => {
      video.playbackRate = 2;
      return video.currentTime;
    });
  await expect.poll(time, { timeout: 20_000, intervals: [200] }).toBeGreaterThan(6);
  expect(renewals).toBe(2);
  await expect(page.getByText("视频没有加载出来")).toHaveCount(0);
  await context.close();
});

test("a tile of the unlock block opens the unlocking page, the same for everybody, and is no visit", async ({
  page,
  browser,
}) => {
  const friend = await visitorFrom(browser, "198.51.100.61");
  const addressFor = async (one: Page) => {
    await one.goto("/home");
    await expect(one.locator(".category-block").first()).toBeVisible();
    await one.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const tile = one
      .getByRole("region", { name: "解锁专区" })
      .getByRole("link", { name: /朋友来了才开的花/ });
    return { tile, href: await tile.getAttribute("href") };
  };
  const { href } = await addressFor(page);
  expect(href).toMatch(/^\/playVideoShare\?id=[\w-]{27}$/);
  const other = await addressFor(friend.page);
  expect(other.href).toBe(href);

  let visits = 0;
  friend.page.on("request", (request) => {
    if (request.url().includes("/api/share/visit")) visits += 1;
  });
  const genuine = friend.page.waitForResponse(/\/api\/share\/check/);
  await other.tile.click();
  await expect(friend.page).toHaveURL(new RegExp(`${href?.replace("?", "\\?")}$`));
  await expect(friend.page.getByRole("region", { name: "怎么解锁" })).toBeVisible();
  await genuine;
  // The visitor's own link, not the tile's.
  await expect(linkOn(friend.page)).toHaveText(/playVideoShare\?id=[\w-]{27}$/);
  expect(await linkOn(friend.page).textContent()).not.toContain(href ?? "?");
  for (let time = 0; time < 2; time += 1) {
    await friend.page.clock.fastForward(VISIBLE_MS);
    await friend.page.evaluate(() => fetch("/healthz").then((answer) => answer.text()));
  }
  expect(visits).toBe(0);
  await friend.context.close();
});

test("the poster holds the cover and a code that leads to the visitor's link", async ({ page }) => {
  const id = await lockedVideo(page, "朋友来了才开的花");
  await page.goto(`/playVideo?id=${id}`);
  await expect(linkOn(page)).toHaveText(/playVideoShare\?id=[\w-]{27}$/);
  const link = (await linkOn(page).textContent()) ?? "";
  await page.getByRole("button", { name: "保存海报" }).click();
  const sheet = page.getByRole("dialog", { name: "分享海报" });
  await expect(sheet.getByRole("img", { name: "海报：朋友来了才开的花，附二维码" })).toBeVisible();
  const downloading = page.waitForEvent("download");
  await sheet.getByRole("button", { name: "保存图片" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`liuying-${id}.png`);
  await expect(page.getByText("海报已保存")).toBeVisible();

  const poster = await readPoster(page, await readFile(await download.path()));
  expect(poster.text).toBe(link);
  // The test's picture has all colours of the screen: a placeholder has one.
  expect(poster.coverColours).toBeGreaterThan(200);
  await sheet.getByRole("button", { name: "关闭" }).click({ position: { x: 10, y: 10 } });
  await expect(sheet).toHaveCount(0);
});

test("a poster is drawn where the cover cannot be had", async ({ page, expected }) => {
  expected.allow(/status of 500|ERR_FAILED/);
  await page.context().route("**/enc/**", (route) => route.fulfill({ status: 500, body: "" }));
  const id = await lockedVideo(page, "朋友来了才开的花");
  await page.goto(`/playVideo?id=${id}`);
  await expect(linkOn(page)).toHaveText(/playVideoShare/);
  await page.getByRole("button", { name: "保存海报" }).click();
  const sheet = page.getByRole("dialog", { name: "分享海报" });
  await expect(sheet.getByRole("img")).toBeVisible();
  const downloading = page.waitForEvent("download");
  await sheet.getByRole("button", { name: "保存图片" }).click();
  const poster = await readPoster(page, await readFile(await (await downloading).path()));
  expect(poster.text).toBe(await linkOn(page).textContent());
});

test("a locked video's files are refused, whatever the storage says", async ({
  page,
  expected,
}) => {
  expected.allow(REFUSED);
  const id = await lockedVideo(page, "朋友来了才开的花");
  await page.addInitScript(
    (video) => localStorage.setItem("shareVideos", JSON.stringify([`${video}!2`])),
    id,
  );
  await page.goto(`/playVideo?id=${id}`);
  await expect(page.getByRole("region", { name: "怎么解锁" })).toBeVisible();
  await expect(page.locator(".player video")).toHaveCount(0);
  const statuses = await page.evaluate(async (video) => {
    const code = localStorage.getItem("uuid") ?? "";
    const info = (await (await fetch(`/api/videoplay/${video}?uuid=1`)).json()).rescont;
    const play = await fetch(`/api/share/play?id=${video}`, {
      headers: { "X-Visitor-Code": code },
    });
    const forged = await fetch(`/media/r/${"A".repeat(27)}/abcdefgh1234/master.m3u8`);
    return {
      path: info.videopath,
      sources: info.sources.length,
      play: play.status,
      forged: forged.status,
    };
  }, id);
  expect(statuses).toEqual({ path: "", sources: 0, play: 403, forged: 403 });
});

/** The address of a file that every browser plays: shorts have one. */
async function plainFile(page: Page): Promise<string> {
  const [short] = (await (await page.request.get("/api/videosort/72")).json()).rescont.data;
  const { sources } = (await (await page.request.get(`/api/videoplay/${short.id}?uuid=1`)).json())
    .rescont;
  const plain = sources.find(({ type }: { type: string }) => type === "video/mp4");
  expect(plain, "a short's plain file").toBeDefined();
  return plain.url;
}

test("what plays in the box of a locked video is thrown out", async ({ page }) => {
  const id = await lockedVideo(page, "朋友来了才开的花");
  await page.goto(`/playVideo?id=${id}`);
  await expect(page.getByRole("region", { name: "怎么解锁" })).toBeVisible();
  const source = await plainFile(page);
  await page.evaluate(async (url) => {
    const video = document.createElement("video");
    video.muted = true;
    video.src = url;
    document.querySelector(".player")?.append(video);
    await video.play().catch(() => {});
  }, source);
  await expect(page.getByText("不合法播放!")).toBeVisible();
  await expect(page.locator(".player video")).toHaveCount(0);
});

test("a link that was not made here leads to no video", async ({ page, expected }) => {
  expected.allow(/status of 404/);
  const id = await lockedVideo(page, "朋友来了才开的花");
  const gone = page.getByRole("alert").filter({ hasText: "视频不存在或已下架" });
  await page.goto("/playVideoShare?id=x");
  await expect(gone).toBeVisible();
  const bytes = Buffer.alloc(20, 7);
  bytes.writeUInt32BE(id);
  await page.goto(`/playVideoShare?id=${bytes.toString("base64url")}`);
  await expect(gone).toBeVisible();
});

test("a page in the background is no visit", async ({ browser, page }) => {
  const id = await lockedVideo(page, "朋友来了才开的花");
  await page.goto(`/playVideo?id=${id}`);
  await expect(linkOn(page)).toHaveText(/playVideoShare/);
  const friend = await visitorFrom(browser, "198.51.100.99");
  await friend.page.addInitScript(() => {
    Object.defineProperty(document, "visibilityState", {
      get: () => ((window as { hid?: boolean }).hid ? "hidden" : "visible"),
    });
    (window as { hid?: boolean }).hid = true;
  });
  let visits = 0;
  friend.page.on("request", (request) => {
    if (request.url().includes("/api/share/visit")) visits += 1;
  });
  const genuine = friend.page.waitForResponse(/\/api\/share\/check/);
  await friend.page.goto((await linkOn(page).textContent()) ?? "");
  await genuine;
  // Twice: the page hears of the answer in the first, if not before.
  for (let time = 0; time < 2; time += 1) {
    await friend.page.clock.fastForward(VISIBLE_MS);
    // What was asked before is noted before this is answered.
    await friend.page.evaluate(() => fetch("/healthz").then((answer) => answer.text()));
  }
  expect(visits).toBe(0);
  await friend.page.evaluate(() => {
    (window as { hid?: boolean }).hid = false;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await friend.page.clock.fastForward(VISIBLE_MS - 1000);
  expect(visits).toBe(0);
  await friend.page.clock.fastForward(1000);
  await expect.poll(() => visits).toBe(1);
  await friend.context.close();
});
