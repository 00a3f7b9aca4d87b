import { expect, test } from "../fixtures/test.ts";
import { beVisitor, favourite, favouriteTotal, freshCode, messageOf } from "../pages/personal.ts";
import { PlayerPage } from "../pages/player.ts";

const LIST = "/collectVideo?type=favorite";
/** Rows of the long list. */
const MANY = Array.from({ length: 40 }, (_, index) => 1000 + index);
const THROTTLE_MS = 1000;

let code: string;

test.beforeEach(async ({ page }) => {
  code = freshCode();
  await beVisitor(page, code);
});

test("a video becomes a favourite and no longer one, and another browser with the code sees it", async ({
  page,
  browser,
  baseURL,
  finger,
}) => {
  await page.clock.install();
  const player = new PlayerPage(page);
  await player.open(2, "&ad_show=no");
  const button = page.locator(".favourite-button");
  await expect(button).toHaveText("收藏");
  await finger.press(button);
  await expect(messageOf(page)).toHaveText("收藏成功!");
  await expect(button).toHaveText("已收藏");
  await expect(button).toHaveAttribute("aria-pressed", "true");

  const other = await browser.newContext({ baseURL: baseURL ?? "", locale: "zh-CN" });
  const second = await other.newPage();
  await beVisitor(second, code);
  await second.goto(LIST);
  await expect(second.locator(".collect-tile .tile-title")).toHaveText(["海边的一整个下午"]);
  await second.goto("/playVideo?id=2&ad_show=no");
  await expect(second.locator(".favourite-button")).toHaveText("已收藏");
  await other.close();

  await page.clock.fastForward(THROTTLE_MS);
  await finger.press(button);
  await expect(messageOf(page)).toHaveText("取消收藏成功!");
  await expect(button).toHaveText("收藏");
  expect(await favouriteTotal(page.request, code)).toBe(0);
});

test("presses count one at a time", async ({ page }) => {
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/favorites")) asked += 1;
  });
  await new PlayerPage(page).open(2, "&ad_show=no");
  const button = page.locator(".favourite-button");
  // At once: a busy machine must not stretch them beyond the second in which one counts.
  await button.evaluate((element: HTMLElement) => {
    for (let press = 0; press < 4; press += 1) element.click();
  });
  await expect(messageOf(page)).toHaveText("收藏成功!");
  await expect(button).toHaveText("已收藏");
  expect(asked).toBe(1);
});

test("a toggle that fails says so and returns to what it was", async ({
  page,
  finger,
  expected,
}) => {
  expected.allow(/ERR_FAILED/);
  await new PlayerPage(page).open(2, "&ad_show=no");
  await page.route("**/api/favorites", (route) => route.abort());
  const button = page.locator(".favourite-button");
  await finger.press(button);
  await expect(messageOf(page)).toHaveText("网络异常，请稍后重试");
  await expect(button).toHaveText("收藏");
});

test("a locked video cannot be a favourite", async ({ page }) => {
  await page.goto("/playVideo?id=9");
  await expect(page.getByRole("region", { name: "怎么解锁" })).toBeVisible();
  await expect(page.locator(".favourite-button")).toHaveCount(0);
  const answer = await page.request.post("/api/favorites", {
    data: { id: 9 },
    headers: { "X-Visitor-Code": code },
  });
  expect(answer.status()).toBe(403);
});

test("the list loads on to its end, and each favourite is in it once though one goes on the way", async ({
  page,
  finger,
}) => {
  await favourite(page.request, code, MANY);
  await page.goto(LIST);
  await expect(page.getByRole("heading", { name: "我喜欢的" })).toBeVisible();
  await expect(page.getByText("共 40 个")).toBeVisible();
  await finger.press(page.getByRole("button", { name: /^移除/ }).first());
  await expect(page.getByText("共 39 个")).toBeVisible();
  for (let turn = 0; turn < 12 && !(await page.getByText("没有更多了").isVisible()); turn += 1) {
    await finger.drag({ x: 200, y: 700 }, { x: 200, y: 100 }, 5);
  }
  await expect(page.getByText("没有更多了")).toBeVisible();
  const ids = await page.evaluate(async () => {
    const seen = new Set<string>();
    for (let top = document.documentElement.scrollHeight; top >= 0; top -= 300) {
      window.scrollTo(0, top);
      await new Promise((resolve) => setTimeout(resolve, 60));
      for (const tile of document.querySelectorAll<HTMLElement>(".collect-tile"))
        seen.add(tile.dataset.id ?? "");
    }
    return [...seen];
  });
  expect(ids.map(Number).sort()).toEqual(MANY.slice(0, -1));
});

test("a favourite leaves after the server has confirmed it, and 撤销 brings it back to its place", async ({
  page,
  finger,
}) => {
  await favourite(page.request, code, [1, 2, 1000]);
  await page.goto(LIST);
  const titles = page.locator(".collect-tile .tile-title");
  await expect(titles).toHaveCount(3);
  const before = await titles.allTextContents();
  // The time stands first on its line: no dot before it.
  const time = page.locator(".collect-tile .tile-meta > span").first();
  await expect(time).toHaveText(/收藏$/);
  expect(await time.evaluate((one) => getComputedStyle(one, "::before").content)).toBe("none");
  let confirm = () => {};
  const held = new Promise<void>((resolve) => {
    confirm = resolve;
  });
  await page.route("**/api/favorites", async (route) => {
    if (route.request().method() === "DELETE") await held;
    await route.continue();
  });
  await finger.press(page.getByRole("button", { name: "移除 海边的一整个下午" }));
  await page.waitForTimeout(400);
  await expect(titles).toHaveCount(3);
  confirm();
  await expect(titles).toHaveCount(2);
  expect(await favouriteTotal(page.request, code)).toBe(2);
  await expect(messageOf(page)).toContainText("取消收藏成功!");
  await finger.press(page.getByRole("button", { name: "撤销" }));
  await expect(titles).toHaveText(before);
  expect(await favouriteTotal(page.request, code)).toBe(3);
});

test("a favourite stays where the server does not confirm", async ({ page, finger, expected }) => {
  expected.allow(/ERR_FAILED/);
  await favourite(page.request, code, [2]);
  await page.goto(LIST);
  await page.route("**/api/favorites", (route) => route.abort());
  await finger.press(page.getByRole("button", { name: /^移除/ }));
  await expect(messageOf(page)).toHaveText("网络异常，请稍后重试");
  await expect(page.getByRole("button", { name: /^移除/ })).toBeEnabled();
});

test("pulling refreshes the favourites, and does nothing to the history", async ({
  page,
  finger,
}) => {
  await page.goto(LIST);
  await expect(page.getByText("还没有喜欢的视频")).toBeVisible();
  await favourite(page.request, code, [2]);
  await finger.drag({ x: 200, y: 200 }, { x: 200, y: 600 });
  await expect(messageOf(page)).toHaveText("刷新成功");
  await expect(page.locator(".collect-tile")).toHaveCount(1);
  await page.goto("/collectVideo?type=history");
  await expect(page.getByRole("heading", { name: "观看历史" })).toBeVisible();
  await finger.drag({ x: 200, y: 200 }, { x: 200, y: 600 });
  await expect(messageOf(page)).toHaveCount(0);
});

test("a list that fails offers to load again", async ({ page, finger, expected }) => {
  expected.allow(/ERR_FAILED/);
  await page.route("**/api/favorites?*", (route) => route.abort());
  await page.goto(LIST);
  const retry = page.getByRole("button", { name: "请求失败，点击我重新加载" });
  await expect(retry).toBeVisible();
  await page.unroute("**/api/favorites?*");
  await finger.press(retry);
  await expect(page.getByText("还没有喜欢的视频")).toBeVisible();
});

test("without a network the first favourites are readable, but only those of the present code", async ({
  page,
  context,
  expected,
}) => {
  await favourite(page.request, code, [2, 1]);
  await page.goto(LIST);
  await expect(page.locator(".collect-tile")).toHaveCount(2);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto(LIST);
  const picture = page.locator(".collect-tile img").first();
  await expect(picture).toBeVisible();
  await context.setOffline(true);
  expected.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await page.goto(LIST);
  await expect(page.getByText("暂时连不上网络，以下是上次保存的收藏")).toBeVisible();
  await expect(page.locator(".collect-tile .tile-title")).toHaveText([
    "真实的蝴蝶停在花上",
    "海边的一整个下午",
  ]);
  await expect(page.getByRole("button", { name: /^移除/ })).toHaveCount(0);
  await page.evaluate(() => localStorage.setItem("uuid", "zzzzzz999999"));
  await page.goto(LIST);
  await expect(page.getByRole("button", { name: "请求失败，点击我重新加载" })).toBeVisible();
  await expect(page.locator(".collect-tile")).toHaveCount(0);
});

test.describe("看看", () => {
  test("shows other visitors by alias, one after another, with what they keep", async ({
    page,
    finger,
  }) => {
    const others = Array.from({ length: 8 }, () => freshCode());
    for (const [index, other] of others.entries())
      await favourite(page.request, other, [1000 + index, 2]);
    await favourite(page.request, code, [1]);
    await page.goto("/favorites");
    const users = page.locator(".user-strip-track button");
    await expect(users.first()).toHaveAttribute("aria-pressed", "true");
    const aliases = await users.allTextContents();
    for (const other of [...others, code]) expect(aliases.join(" ")).not.toContain(other);
    const heading = page.getByRole("heading", { level: 2 });
    await expect(heading).toContainText(/^老司机：[0-9a-z]{8}收藏了 2 个$/);
    await expect(page.locator("a.tile .tile-title")).toHaveText([
      /海边的一整个下午/,
      /清单第 8 期/,
    ]);

    const strip = page.locator(".user-strip-track");
    await finger.drag({ x: 350, y: 90 }, { x: 60, y: 90 });
    await expect.poll(() => strip.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100);
    await finger.press(users.nth(6));
    await expect(users.nth(6)).toHaveAttribute("aria-pressed", "true");
    await expect(page.locator("a.tile .tile-title")).toHaveText([
      /海边的一整个下午/,
      /清单第 2 期/,
    ]);
    const chosen = await heading.textContent();

    await finger.press(page.locator("a.tile").first());
    await expect(page).toHaveURL(/playVideo/);
    await page.goBack();
    await expect(heading).toHaveText(chosen ?? "");
  });

  test("a swipe over the videos leads to the next visitor, and back", async ({ page, finger }) => {
    for (const [index, other] of [freshCode(), freshCode()].entries())
      await favourite(page.request, other, [1020 + index]);
    await page.goto("/favorites");
    const users = page.locator(".user-strip-track button");
    const heading = page.getByRole("heading", { level: 2 });
    const title = page.locator("a.tile .tile-title").first();
    await expect(users.nth(1)).toBeVisible();
    const [first, second] = await users.evaluateAll((chips) =>
      chips.slice(0, 2).map((chip) => chip.lastChild?.textContent ?? ""),
    );
    await expect(heading).toContainText(`老司机：${first}`);
    await expect(title).toContainText("清单第 22 期");
    // A swipe past the first leads nowhere.
    await finger.drag({ x: 60, y: 420 }, { x: 340, y: 420 });
    await expect(heading).toContainText(`老司机：${first}`);
    await finger.drag({ x: 340, y: 420 }, { x: 60, y: 420 });
    await expect(heading).toContainText(`老司机：${second}`);
    await expect(title).toContainText("清单第 21 期");
    await expect(users.nth(1)).toHaveAttribute("aria-pressed", "true");
    await finger.drag({ x: 60, y: 420 }, { x: 340, y: 420 });
    await expect(heading).toContainText(`老司机：${first}`);
    await expect(title).toContainText("清单第 22 期");
  });

  test("says so where nobody keeps anything", async ({ page }) => {
    await page.route("**/api/favorites/user?*", (route) =>
      route.fulfill({ json: { code: 200, msg: "ok", rescont: { list: [], next_page_url: null } } }),
    );
    await page.goto("/favorites");
    await expect(page.getByText("暂无收藏用户")).toBeVisible();
  });

  test("has arrows where there is a mouse", async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      baseURL: baseURL ?? "",
      viewport: { width: 1100, height: 900 },
      isMobile: false,
      hasTouch: false,
    });
    const page = await context.newPage();
    // More than fit side by side; the server would take so many new codes at once for guessing.
    const list = Array.from({ length: 20 }, (_, index) => ({
      id: `row${index}`,
      uuid: `alias${index}`,
      total: 1,
    }));
    await page.route("**/api/favorites/user?*", (route) =>
      route.fulfill({ json: { code: 200, msg: "ok", rescont: { list, next_page_url: null } } }),
    );
    await page.goto("/favorites");
    await page.getByRole("button", { name: "后面的用户" }).click();
    const strip = page.locator(".user-strip-track");
    await expect.poll(() => strip.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100);
    await context.close();
  });
});
