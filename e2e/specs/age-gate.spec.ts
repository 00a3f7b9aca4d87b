import type { FrameLocator, Page } from "@playwright/test";
import { withoutAnswers } from "../fixtures/boot.ts";
import { FilmServer } from "../fixtures/film-server.ts";
import { HOST_ORIGIN } from "../fixtures/partner.ts";
import { expect, test } from "../fixtures/test.ts";
import { violations } from "../pages/accessible.ts";
import { PlayerPage } from "../pages/player.ts";

// As `fixtures/serve_gated.py` has them.
const OPEN = 1;
const GATED = 2;
const TITLE = "午夜的酒馆";

/** A page of the site, or the site in a frame of somebody else's page. */
type Shown = Page | FrameLocator;

const question = (page: Shown) => page.getByRole("dialog", { name: "请确认你的年龄" });
const confirm = (page: Shown) => page.getByRole("button", { name: "我已满18岁" });
const leave = (page: Shown) => page.getByRole("button", { name: "离开" });
const tile = (page: Shown, title: string) => page.getByRole("link", { name: title });

/** The addresses of the gate's calls that a page asks for. */
function gateCalls(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/gated/")) asked.push(request.url());
  });
  return asked;
}

async function confirmed(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem("ageConfirmed", "1"));
}

/** Whether a tile shows its picture, drawn. */
async function expectCover(page: Shown, title: string): Promise<void> {
  const picture = tile(page, title).locator(".cover img");
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth))
    .toBeGreaterThan(0);
}

/** Another site's page with the site in a frame, as a partner shows it. */
async function openFramed(page: Page, address: string): Promise<FrameLocator> {
  await page.route(`${HOST_ORIGIN}/**`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>合作方</title>
        <iframe title="站" src="${address}" allow="autoplay; fullscreen"
          style="width:100%;height:800px;border:0"></iframe>`,
    }),
  );
  await page.goto(`${HOST_ORIGIN}/`);
  return page.frameLocator("iframe");
}

test.describe("of a category", () => {
  const server = new FilmServer();
  test.beforeAll(async () => {
    test.setTimeout(180_000);
    await server.start("serve_gated.py");
  });
  test.afterAll(() => server.stop());

  test("hides the cover in lists, asks before the video, and then shows both", async ({ page }) => {
    const calls = gateCalls(page);
    await page.goto(`${server.origin}/list?typeId=0&orderby=new`);
    await expectCover(page, "山谷里的早晨");
    await expect(tile(page, TITLE).locator(".cover-none")).toBeVisible();
    await expect(tile(page, TITLE).locator("img")).toHaveCount(0);
    expect(calls).toEqual([]);

    await tile(page, TITLE).click();
    await expect(question(page)).toBeVisible();
    await expect(page.locator(".player video")).toHaveCount(0);
    await leave(page).click();
    await expect(question(page)).toBeHidden();
    await expect(page).toHaveURL(/\/list\?typeId=0/);
    expect(calls).toEqual([]);

    await tile(page, TITLE).click();
    await confirm(page).click();
    await expect(question(page)).toBeHidden();
    const player = new PlayerPage(page);
    await player.plays();
    expect(await page.evaluate(() => localStorage.getItem("ageConfirmed"))).toBe("1");

    // The list that was drawn before has covers now.
    await page.goBack();
    await expectCover(page, TITLE);
    expect(calls.some((address) => address.includes("/api/gated/videos"))).toBe(true);
  });

  test("asks once a device, and never before what is open", async ({ page }) => {
    const calls = gateCalls(page);
    await page.goto(`${server.origin}/playVideo?id=${OPEN}`);
    await new PlayerPage(page).plays();
    await expect(question(page)).toBeHidden();
    expect(calls).toEqual([]);
    await page.goto(`${server.origin}/playVideo?id=${GATED}`);
    await confirm(page).click();
    await new PlayerPage(page).plays();
    await page.reload();
    await new PlayerPage(page).plays();
    await expect(question(page)).toBeHidden();
  });

  test("keeps an advertisement before the film from running out behind the question", async ({
    page,
  }) => {
    const { rescont: film } = await (
      await page.request.get(`${server.origin}/api/videoplay/${OPEN}?uuid=1`)
    ).json();
    const ad = {
      ...{ id: 1, is_ad: true, kind: "ad", title: "片前推广", text: "", url: "", seconds: 9 },
      ...{ imgbase64: film.coverbase64, imgpath: "" },
    };
    await withoutAnswers(page);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/adinfo/PLAYBEFORE", async (route) => {
      await held;
      await route.fulfill({ json: { rescont: [ad], code: 200, msg: "ok" } });
    });
    await page.goto(`${server.origin}/playVideo?id=${GATED}`);
    await expect(question(page)).toBeVisible();
    // Whatever counts from here on is counted by the test.
    await page.clock.install();
    release();
    const ring = page.locator(".ad-ring");
    await expect(ring).toHaveText("9秒后可关闭");
    await page.clock.runFor(20_000);
    await expect(ring).toHaveText("9秒后可关闭");
    await confirm(page).click();
    await expect(question(page)).toBeHidden();
    await page.clock.runFor(9_000);
    await page.getByRole("button", { name: "关闭广告" }).click();
    await new PlayerPage(page).plays();
  });

  test("keeps neither key nor path on the device", async ({ page }) => {
    await page.goto(`${server.origin}/list?typeId=0&orderby=new`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
      .toBe("activated");
    await page.evaluate(() => localStorage.setItem("ageConfirmed", "1"));
    await page.reload();
    await expectCover(page, TITLE);
    await page.goto(`${server.origin}/playVideo?id=${GATED}`);
    await new PlayerPage(page).plays();
    const kept = await page.evaluate(async () => {
      const texts = Object.entries(localStorage).map((entry) => entry.join());
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          texts.push(request.url);
          const answer = await cache.match(request);
          if (/json|html/.test(answer?.headers.get("content-type") ?? ""))
            texts.push((await answer?.text()) ?? "");
        }
      }
      return texts.join("\n");
    });
    const told = await page.request.get(`${server.origin}/api/gated/videos?ids=${GATED}`, {
      headers: { "X-Age-Confirmed": "1" },
    });
    const { cover_keys: keys } = (await told.json()).rescont;
    expect(kept).toContain("ageConfirmed");
    for (const word of [keys["255"], "/media/r/", "/api/gated/"]) expect(kept).not.toContain(word);

    // Without the answer, nothing that was kept shows the picture.
    await page.evaluate(() => localStorage.removeItem("ageConfirmed"));
    await page.goto(`${server.origin}/list?typeId=0&orderby=new`);
    await expect(tile(page, TITLE).locator(".cover-none")).toBeVisible();
    await expect(tile(page, TITLE).locator("img")).toHaveCount(0);
  });

  test("in a partner's frame: refused, nothing is shown and the list stays", async ({ page }) => {
    const calls = gateCalls(page);
    const frame = await openFramed(page, `${server.origin}/list?typeId=0&orderby=new`);
    await expectCover(frame, "山谷里的早晨");
    await tile(frame, TITLE).click();
    await expect(question(frame)).toBeVisible();
    await expect(frame.locator(".player video")).toHaveCount(0);
    await leave(frame).click();
    await expect(question(frame)).toBeHidden();
    await expect(tile(frame, TITLE).locator(".cover-none")).toBeVisible();
    await expect(tile(frame, TITLE).locator("img")).toHaveCount(0);
    // The partner's page is where it was.
    await expect(page).toHaveURL(`${HOST_ORIGIN}/`);
    expect(calls).toEqual([]);
  });

  test("in a partner's frame: confirmed, it plays, and the answer is that frame's alone", async ({
    page,
    context,
  }) => {
    const frame = await openFramed(page, `${server.origin}/playVideo?id=${GATED}`);
    await confirm(frame).click();
    await expect(question(frame)).toBeHidden();
    const film = frame.locator(".player video");
    await expect
      .poll(() => film.evaluate((shown: HTMLVideoElement) => shown.currentTime))
      .toBeGreaterThan(0);
    await page.reload();
    await expect(film).toBeVisible();
    await expect(question(frame)).toBeHidden();
    await openFramed(page, `${server.origin}/list?typeId=0&orderby=new`);
    await expectCover(frame, TITLE);
    // Browsers keep a frame's storage apart: the site itself was never answered.
    const own = await context.newPage();
    await own.goto(`${server.origin}/list?typeId=0&orderby=new`);
    await expect(tile(own, TITLE).locator(".cover-none")).toBeVisible();
    expect(await own.evaluate(() => localStorage.getItem("ageConfirmed"))).toBeNull();
    await own.close();
  });

  test("in a frame whose storage is refused, the answer holds while the page does", async ({
    page,
  }) => {
    await page.addInitScript((host) => {
      if (location.origin === host) return;
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException("denied", "SecurityError");
          },
        });
    }, HOST_ORIGIN);
    const frame = await openFramed(page, `${server.origin}/list?typeId=0&orderby=new`);
    await tile(frame, TITLE).click();
    await confirm(frame).click();
    const film = frame.locator(".player video");
    await expect
      .poll(() => film.evaluate((shown: HTMLVideoElement) => shown.currentTime))
      .toBeGreaterThan(0);
    await page.reload();
    await tile(frame, TITLE).click();
    await expect(question(frame)).toBeVisible();
  });

  test("asks before a short film", async ({ page }) => {
    await page.goto(`${server.origin}/miin`);
    await expect(question(page)).toBeVisible();
    await confirm(page).click();
    await expect
      .poll(() =>
        page.evaluate(() =>
          [...document.querySelectorAll("video")].some(({ currentTime }) => currentTime > 0),
        ),
      )
      .toBe(true);
  });

  test("shows the covers of a device that has answered, on home too", async ({ page }) => {
    await confirmed(page);
    await page.goto(`${server.origin}/home`);
    await expectCover(page, TITLE);
    await expect(question(page)).toBeHidden();
  });

  test("is answered by keyboard, and is readable in both themes", async ({ page }) => {
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(`${server.origin}/playVideo?id=${GATED}`);
      await expect(question(page)).toBeVisible();
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await expect(page.locator("html")).toHaveCSS("color-scheme", colorScheme);
        expect.soft(await violations(page), `${width} ${colorScheme}`).toEqual([]);
      }
      // Nothing is answered by a key that was meant for something else.
      await page.keyboard.press("Enter");
      await expect(question(page)).toBeVisible();
    }
    await page.keyboard.press("Tab");
    await expect(confirm(page)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(question(page)).toBeHidden();
  });

  test("what was taken down is told, with its reason, where the operator tells it", async ({
    page,
  }) => {
    await page.goto(`${server.origin}/mine`);
    await page.getByRole("link", { name: "下架公示" }).click();
    await expect(page).toHaveURL(/\/removals$/);
    const removals = page.getByRole("list", { name: "下架的视频" }).getByRole("listitem");
    await expect(removals).toHaveCount(2);
    await expect(removals.first()).toContainText("拍到的人没有同意");
    await expect(removals.last()).toContainText("别人的电影");
    await expect(removals.last()).toContainText("版权方要求下架");
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expect(page.locator("html")).toHaveCSS("color-scheme", colorScheme);
      expect.soft(await violations(page), colorScheme).toEqual([]);
    }
    await page.reload();
    await expect(page.getByRole("heading", { name: "下架公示" })).toBeVisible();
  });
});

test.describe("of the whole site", () => {
  const server = new FilmServer();
  test.beforeAll(async () => {
    test.setTimeout(180_000);
    await server.start("serve_gated.py", "site");
  });
  test.afterAll(() => server.stop());

  test("comes before everything, once", async ({ page, expected }) => {
    const calls = gateCalls(page);
    await page.goto(`${server.origin}/home`);
    await expect(question(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(question(page)).toBeVisible();
    await expect(page.locator(".cover img")).toHaveCount(0);
    expect(calls).toEqual([]);
    await confirm(page).click();
    await expect(question(page)).toBeHidden();
    await expectCover(page, "山谷里的早晨");
    await page.reload();
    await expectCover(page, TITLE);
    await expect(question(page)).toBeHidden();

    // There is no page of what was removed either: an address like any other.
    expected.allow(/status of 404/);
    const answer = await page.goto(`${server.origin}/removals`);
    expect(answer?.status()).toBe(404);
    await expect(page.getByText("这里什么也没有")).toBeVisible();
  });

  test("lets whoever is not of age go", async ({ page }) => {
    await page.goto(`${server.origin}/home`);
    await leave(page).click();
    await expect(page).toHaveURL("about:blank");
  });
});
