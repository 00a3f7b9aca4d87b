import { restingScroll, watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";
import { SearchPage } from "../pages/search.ts";
import { VideoListPage } from "../pages/video-list.ts";

const PAGES = 7;

test("a search shows its term, what was found, and is remembered once", async ({
  page,
  finger,
}) => {
  const search = new SearchPage(page);
  const results = new VideoListPage(page);
  await search.open();
  await expect(search.field).toBeFocused();
  for (const term of ["海边", "夜景清单", "海边"]) {
    await search.search(finger, term);
    await expect(page).toHaveURL(new RegExp(`/searchList\\?search=${encodeURIComponent(term)}$`));
    await expect(page.getByRole("heading", { level: 1, name: term })).toBeVisible();
    await finger.press(
      page.getByRole("link", { name: "搜索", exact: true }).filter({ visible: true }),
    );
  }
  await expect(search.history).toHaveText(["海边", "夜景清单"]);
  await finger.press(search.history.first());
  await expect(results.titleOf(0)).toHaveText("海边的一整个下午");
});

test("a term with commas is one term", async ({ page, finger }) => {
  const search = new SearchPage(page);
  await search.open();
  await search.search(finger, "海边,下午，一整个");
  await expect(page).toHaveURL(/\/searchList/);
  await page.goBack();
  await expect(search.history).toHaveCount(1);
  await expect(search.history).toHaveText("海边 下午 一整个");
  await page.reload();
  await expect(search.history).toHaveCount(1);
});

test("a hot word leads to its results", async ({ page, finger }) => {
  const search = new SearchPage(page);
  await search.open();
  await finger.press(
    page.getByRole("region", { name: "大家在搜" }).first().getByRole("button", { name: "海边" }),
  );
  await expect(page).toHaveURL(/\/searchList\?search=/);
  await expect(new VideoListPage(page).titleOf(0)).toHaveText("海边的一整个下午");
});

test("nothing found says so and leads back to the field", async ({ page, finger }) => {
  const search = new SearchPage(page);
  await search.open();
  await search.search(finger, "量子纠缠乌龟");
  await expect(page.getByText("没有找到相关视频")).toBeVisible();
  await expect(new VideoListPage(page).pagePill).toHaveCount(0);
  await finger.press(page.getByRole("link", { name: "重新搜索" }));
  await expect(search.field).toBeVisible();
});

test("the page slider stops at both ends and jumps", async ({ page, finger }) => {
  const results = new VideoListPage(page);
  await page.goto("/searchList?search=清单");
  await results.isDrawn();
  await expect(results.pagePill).toHaveText(new RegExp(`^1\\s*/ ${PAGES} 页$`));
  await finger.press(results.pagePill);
  const previous = results.pageSheet.getByRole("button", { name: "上一页" });
  const next = results.pageSheet.getByRole("button", { name: "下一页" });
  const slider = results.pageSheet.getByRole("slider", { name: "页码" });
  await expect(previous).toBeDisabled();
  await expect(next).toBeEnabled();
  await expect(slider).toHaveAttribute("min", "1");
  await expect(slider).toHaveAttribute("max", String(PAGES));
  await expect(slider).toHaveAttribute("step", "1");

  const second = page.waitForResponse(/videoSearch\?.*page=2/);
  await finger.press(next);
  expect((await second).status()).toBe(200);
  await expect(previous).toBeEnabled();

  const last = page.waitForResponse(new RegExp(`videoSearch\\?.*page=${PAGES}`));
  await slider.fill(String(PAGES));
  const answer = await (await last).json();
  await expect(next).toBeDisabled();
  await expect(previous).toBeEnabled();
  await finger.press(results.pageSheet.getByRole("button", { name: `跳到第 ${PAGES} 页` }));
  await expect(results.pageSheet).toHaveCount(0);
  await expect(results.tiles).toHaveCount(answer.rescont.data.length);
  await expect(results.titleOf(0)).toHaveText(answer.rescont.data[0].title);
  await expect(results.end).toBeAttached();
});

test("results are found as they were left; another term begins anew", async ({ page, finger }) => {
  const search = new SearchPage(page);
  const results = new VideoListPage(page);
  await search.open();
  await search.search(finger, "清单");
  await results.isDrawn();
  await finger.drag({ x: 195, y: 700 }, { x: 195, y: 200 });
  const scroll = await restingScroll(page);
  expect(scroll).toBeGreaterThan(0);
  await finger.press(results.tiles.nth(await results.tileInSight()));
  await expect(new PlayerPage(page).player).toBeVisible();
  await page.goBack();
  await results.isDrawn();
  expect(await restingScroll(page)).toBe(scroll);
  await page.goBack();
  await search.search(finger, "海边");
  await expect(results.titleOf(0)).toHaveText("海边的一整个下午");
  expect(await restingScroll(page)).toBe(0);
});

test("the same term searched again begins anew", async ({ page, context, finger }) => {
  const search = new SearchPage(page);
  const results = new VideoListPage(page);
  await search.open();
  await search.search(finger, "清单");
  await results.isDrawn();
  await finger.drag({ x: 195, y: 700 }, { x: 195, y: 200 });
  expect(await restingScroll(page)).toBeGreaterThan(0);
  const requests = watchRequests(context, /^\/api\/videoSearch\?.*page=1$/);
  await finger.press(
    page.getByRole("link", { name: "搜索", exact: true }).filter({ visible: true }),
  );
  await search.search(finger, "清单");
  await results.isDrawn();
  await expect.poll(() => requests.length).toBe(1);
  expect(await restingScroll(page)).toBe(0);
});

test("results are refreshed by a pull, and go on as they are scrolled", async ({
  page,
  context,
  finger,
}) => {
  const results = new VideoListPage(page);
  await page.goto("/searchList?search=清单");
  await results.isDrawn();
  const requests = watchRequests(context, /^\/api\/videoSearch\?/);
  await finger.drag({ x: 195, y: 300 }, { x: 195, y: 700 });
  await expect(results.message).toHaveText("刷新成功");
  expect(requests.filter((address) => address.endsWith("page=1"))).toHaveLength(1);
  await results.scrollUntil(finger, async () =>
    requests.some((address) => address.endsWith("page=2")),
  );
});

test("the history is emptied by one press, and brought back by another", async ({
  page,
  finger,
}) => {
  const search = new SearchPage(page);
  await search.open();
  await page.evaluate(() => localStorage.setItem("listStr", "极光,拉面"));
  await page.reload();
  await expect(search.history).toHaveText(["极光", "拉面"]);
  await finger.press(page.getByRole("button", { name: "清空" }));
  await expect(search.history).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem("listStr"))).toBeNull();
  await finger.press(page.getByRole("button", { name: "撤销" }));
  await expect(search.history).toHaveText(["极光", "拉面"]);
});
